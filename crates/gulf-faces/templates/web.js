// Looks again when a journal has grown, and puts what is marked `data-live` in the place of what stood there.
// What a person types stands outside of it and stays. Without this script every page works, and is reloaded by hand.
"use strict";

const connection = document.getElementById("connection");
let isLooking = false;
let isStale = false;

async function lookAgain() {
  isStale = true;
  if (isLooking) return;
  isLooking = true;
  try {
    while (isStale) {
      isStale = false;
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const old of document.querySelectorAll("[data-live]")) {
        const fresh = page.getElementById(old.id);
        if (fresh && fresh.innerHTML !== old.innerHTML) old.replaceWith(document.adoptNode(fresh));
      }
    }
  } catch {
    connection.textContent = "not connected";
  } finally {
    isLooking = false;
  }
}

const address = document.body.dataset.events;
// An answer to a form has an address that nobody can get.
if (address && !location.pathname.endsWith("/act")) {
  const events = new EventSource(address);
  events.onopen = () => { connection.textContent = "live"; };
  events.onerror = () => { connection.textContent = "not connected"; };
  events.onmessage = lookAgain;
}
