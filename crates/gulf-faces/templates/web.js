// Looks again when a journal has grown, and puts what is marked `data-live` in the place of what stood there.
// What a person types stands outside of it and stays. Without this script every page works, and is reloaded by hand.
"use strict";

const RETRY_MS = 3000;
const connection = document.getElementById("connection");
const address = document.body.dataset.events;
let events = null;
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
      // Another server may have taken the place of the one that sent this page.
      const word = page.querySelector("[name=csrf]");
      for (const old of document.querySelectorAll("[name=csrf]")) if (word) old.value = word.value;
    }
  } catch {
    connection.textContent = document.body.dataset.lost;
  } finally {
    isLooking = false;
  }
}

// Browsers keep few connections to one server: a page that nobody sees gives its own back.
function listen() {
  if (events) events.close();
  events = null;
  if (document.hidden) return;
  const now = new EventSource(address);
  events = now;
  now.onopen = () => { connection.textContent = document.body.dataset.connected; };
  now.onmessage = lookAgain;
  now.onerror = () => {
    connection.textContent = document.body.dataset.lost;
    // Refused, it is closed for good: until a server knows this browser again.
    if (now.readyState === EventSource.CLOSED) setTimeout(() => { if (events === now) listen(); }, RETRY_MS);
  };
}

// An answer to a form has an address that nobody can get.
if (address && !location.pathname.endsWith("/act")) {
  listen();
  document.addEventListener("visibilitychange", listen);
}
