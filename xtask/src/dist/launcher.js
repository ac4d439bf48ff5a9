#!/usr/bin/env node
// Starts the gulf that npm has put beside this package for this machine. What a person types at the terminal reaches
// gulf itself: Ctrl-C lets a loop rest, and the launcher must not be gone before it.
"use strict";

const { spawn } = require("node:child_process");

const name = `@gulf-loop/cli-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/gulf`);
} catch {
  console.error(`error: gulf is not here for this machine: the package ${name} is missing`);
  console.error("hint: install gulf-loop again, with its optional dependencies");
  process.exit(1);
}

// A terminal sends this one to both; the others only to us.
process.on("SIGINT", () => {});
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: cannot start ${program}\ncaused by: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
