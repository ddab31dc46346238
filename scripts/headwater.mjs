#!/usr/bin/env node
// Entry point of all commands: `node scripts/headwater.mjs <command>`. Plain JavaScript without dependencies, because it runs
// before anything is installed, on Node 18 or newer. It fetches a newer Node when this one is too old for the server.
import process from 'node:process'

const oldestNode = 18
const commands = {
  start: './commands/start.mjs',
  dev: './commands/dev.mjs',
  worker: './commands/worker.mjs',
  test: './commands/test.mjs',
  'test:long': './commands/test-long.mjs',
  'test:changed': './commands/test-changed.mjs',
  mutate: './commands/mutate.mjs',
  check: './commands/check.mjs',
  bench: './commands/bench.mjs',
  'new-feature': './commands/new-feature.mjs',
}

const [name = '', ...args] = process.argv.slice(2)

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  fail(
    `This is Node ${process.versions.node}; Headwater needs Node ${oldestNode} or newer. Install one from nodejs.org.`,
  )
} else if (process.platform === 'win32') {
  fail('Headwater runs on Linux and macOS. On Windows, run it inside the Windows Subsystem for Linux.')
} else if (!Object.hasOwn(commands, name)) {
  fail(`Unknown command “${name}”. The commands are: ${Object.keys(commands).join(', ')}.`)
} else {
  import(commands[name])
    .then((command) => command.default(args))
    .then(
      (exitCode) => {
        process.exitCode = exitCode
      },
      (error) => fail(error.isForPeople ? error.message : error.stack),
    )
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}
