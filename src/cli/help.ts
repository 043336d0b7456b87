// The texts of --help. They are results: they go to standard output.

const SOURCES = `FILE is a scenario document (JSON), "-" is standard input, NAME is a scenario of the library (see list).`;

export const HELP: Readonly<Record<'main' | 'run' | 'check' | 'state' | 'list' | 'url', string>> = {
  main: `Spinlane: simulates Linux scheduling and locking.

Usage: npm run -s sim -- COMMAND …

  run FILE|NAME     simulate a scenario and print what came out
  check FILE|NAME…  check the claims of scenarios, each under its own settings
  state FILE|NAME   run queues, locks and timers at one instant
  list              the scenarios of the library
  url FILE|NAME     the link that opens a scenario on the page

COMMAND --help says more. ${SOURCES}
Exit codes: 0 done, 1 a claim failed (check), 2 bad document or argument, 3 a bound was reached.
`,
  run: `Usage: npm run -s sim -- run FILE|NAME [options]

Simulates a scenario and prints the result: a report for people by default.
${SOURCES}

  --set TOGGLE=VALUE       set a toggle, a param or kernel, cpus, hz, throttling, fairserver, costs, seed; repeatable
  --at TIME TOGGLE=VALUE   flip a switch at an instant while it runs; repeatable
  --between TIME TIME      count over this stretch only: the first instant is in it, the second is not
  --text                   a report for people (default)
  --json                   the result as JSON
  --segments               with --json: the state of every CPU and thread over time as well
  --trace                  the lines that trace-cmd report would print

Times carry a unit: 150us, 1.5ms, 2s.
Exit code 0 even where a claim fails, 2 for a bad document or argument, 3 when a bound stopped the run.

Example: npm run -s sim -- run bmalloc-hang --set backoff=usleep150 --between 5ms 20ms
`,
  check: `Usage: npm run -s sim -- check FILE|NAME… | --all

Runs scenarios once for each combination of settings that their claims name ("when"), and prints every claim with
what was measured. ${SOURCES}

  --all   every scenario of the library

Exit code 0 when all claims hold, 1 when one failed, 2 for a bad document or argument, 3 when a bound stopped a run.
`,
  state: `Usage: npm run -s sim -- state FILE|NAME --when TIME [options]

Prints everything that decides what comes next, at one instant: run queues in order with vruntime, deadline and lag,
lock queues, timers. Virtual times are in virtual nanoseconds.
${SOURCES}

  --when TIME   the instant; all its events have happened
  --set, --at   as for run
  --json        as JSON

Example: npm run -s sim -- state pi-reweight --when 1.5s
`,
  list: `Usage: npm run -s sim -- list

A line for each scenario of the library: name and title.
`,
  url: `Usage: npm run -s sim -- url FILE|NAME [--set TOGGLE=VALUE]… [--at TIME TOGGLE=VALUE]… [--base ADDRESS]

Prints the link that opens the scenario on the page. Everything is in the link; nothing is uploaded.
${SOURCES}

  --set, --at      as for run
  --base ADDRESS   address of the page; without it the part from "#" on
`,
};
