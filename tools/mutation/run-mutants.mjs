// Runs mutants one by one, each with the tests that reach it, the quickest and most successful tests first.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { applyMutant, countRegions, findMutants } from './mutants.mjs'
import { findTests, groupOf } from './source-files.mjs'
import { startTestRunner } from './test-runner.mjs'

/**
 * @typedef {import('./mutants.mjs').Mutant & { file: string, group: string }} FileMutant
 * @typedef {'killed' | 'timeout' | 'survived' | 'uncovered'} Outcome
 *
 * @typedef {object} Options
 * @property {string} root folder of the project
 * @property {string[]} files source files, relative to the project
 * @property {number} [sample] how many mutants are picked at random; all of them by default
 * @property {number} [seed] of the random order, 1 by default
 * @property {number} [budgetMs] after which no further mutant starts
 * @property {number} [maxTestMs] a test file that takes longer without a mutant is omitted
 * @property {Equivalent[]} [equivalents] mutants that no test can notice
 * @property {(line: string) => void} [onProgress]
 *
 * @typedef {object} Equivalent
 * @property {string} file
 * @property {string} line text of the line, without the space around it
 * @property {string} original
 * @property {string} replacement
 * @property {string} reason why no test can notice it
 *
 * @typedef {object} Report
 * @property {(FileMutant & { outcome: Outcome })[]} results in the order they ran
 * @property {FileMutant[]} notRun because the time budget was used up
 * @property {number} equivalentCount mutants on the list of equivalents
 * @property {string[]} brokenTests test files that fail without a mutant
 * @property {string[]} slowTests test files left out because of `maxTestMs`
 */

/**
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function runMutants(options) {
  const { root, files, sample = Infinity, seed = 1, budgetMs = Infinity, maxTestMs = Infinity } = options
  const { equivalents = [], onProgress = () => undefined } = options
  const deadline = performance.now() + budgetMs
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const all = files.flatMap((file) => mutantsOf(file, sources.get(file)))
  const candidates = all.filter((mutant) => !isEquivalent(mutant, sources.get(mutant.file), equivalents))
  const equivalentCount = all.length - candidates.length
  const chosen = shuffled(candidates, seed).slice(0, sample)
  const report = { results: [], notRun: [], equivalentCount, brokenTests: [], slowTests: [] }
  if (chosen.length === 0) return report

  const runner = await startTestRunner(root)
  const abandon = () => {
    runner.abandon()
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, abandon)
  try {
    const tests = await measureTests()
    for (const [index, mutant] of chosen.entries()) {
      if (performance.now() > deadline) {
        report.notRun = chosen.slice(index)
        break
      }
      const outcome = await runMutant(mutant, tests)
      report.results.push({ ...mutant, outcome })
      onProgress(`${index + 1}/${chosen.length} ${outcome} ${describeMutant(mutant)}`)
    }
    return report
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, abandon)
    await runner.close()
  }

  /** Runs each test file once without a mutant: how long it takes and which regions of the files it reaches. */
  async function measureTests() {
    const mutated = [...new Set(chosen.map(({ file }) => file))]
    const counting = new Map(mutated.map((file) => [join(root, file), counted(file)]))
    const measured = []
    for (const group of new Set(mutated.map(groupOf))) {
      for (const [test, loaded] of findTests(root, group)) {
        if (![...counting.keys()].some((file) => loaded.has(file))) continue
        // After the deadline no mutant runs, so no further measurement is needed.
        if (performance.now() > deadline) return measured
        const limitMs = Math.min(maxTestMs, 900_000)
        const { outcome, durationMs, reached } = await runner.run(test, counting, limitMs)
        onProgress(`${outcome} in ${(durationMs / 1000).toFixed(1)} s without a mutant: ${test}`)
        if (outcome === 'timeout' && maxTestMs < 900_000) report.slowTests.push(test)
        else if (outcome !== 'passed') report.brokenTests.push(test)
        else measured.push({ test, durationMs, reached: new Set(reached), kills: 0 })
      }
    }
    return measured
  }

  function counted(file) {
    const source = sources.get(file)
    return countRegions(source, findMutants(file, source).regions, file)
  }

  /** @returns {Promise<Outcome>} */
  async function runMutant(mutant, tests) {
    const covering = tests.filter(({ reached }) => reached.has(`${mutant.file}:${mutant.region}`))
    if (covering.length === 0) return 'uncovered'
    const edited = new Map([[join(root, mutant.file), applyMutant(sources.get(mutant.file), mutant)]])
    covering.sort((a, b) => a.durationMs / (1 + a.kills) - b.durationMs / (1 + b.kills))
    for (const test of covering) {
      const { outcome } = await runner.run(test.test, edited, test.durationMs * 3 + 5000)
      if (outcome === 'passed') continue
      test.kills++
      return outcome === 'failed' ? 'killed' : 'timeout'
    }
    return 'survived'
  }
}

/** One line about a mutant: where it is and what it changes. */
export function describeMutant({ file, line, original, replacement }) {
  return `${file}:${line} ${shortened(original)} → ${shortened(replacement)}`
}

/** The share of mutants that tests notice, as a whole percentage rounded down; 100 without mutants. */
export function scoreOf(results) {
  if (results.length === 0) return 100
  const noticed = results.filter(({ outcome }) => outcome === 'killed' || outcome === 'timeout')
  return Math.floor((100 * noticed.length) / results.length)
}

function mutantsOf(file, source) {
  const functionsOnly = file.startsWith('features/')
  return findMutants(file, source, { functionsOnly }).mutants.map((mutant) => ({
    ...mutant,
    file,
    group: groupOf(file),
  }))
}

function isEquivalent(mutant, source, equivalents) {
  const line = source.split('\n')[mutant.line - 1].trim()
  return equivalents.some(
    (known) =>
      known.file === mutant.file &&
      known.line === line &&
      known.original === mutant.original &&
      known.replacement === mutant.replacement,
  )
}

function shortened(text) {
  const flat = text.replace(/\s+/g, ' ')
  return flat.length > 100 ? `${flat.slice(0, 60)} … ${flat.slice(-30)}` : flat
}

function shuffled(items, seed) {
  const random = randomFrom(seed)
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    ;[order[last], order[other]] = [order[other], order[last]]
  }
  return order
}

/** mulberry32, because Math.random takes no seed. */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
