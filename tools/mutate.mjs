// Mutation testing: makes small faults in the sources, one at a time, and reports which of them no test notices.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import prettier from 'prettier'
import { describeMutant, runMutants, scoreOf } from './mutation/run-mutants.mjs'
import { changedFiles, isBrowserFile, namedFiles } from './mutation/source-files.mjs'

const projectFolder = fileURLToPath(new URL('..', import.meta.url))

const help = `Usage: node tools/mutate.mjs [options]

Without options it mutates the files changed since origin/main, or since the last commit but one where there is no
origin/main: packages/*/src and the functions in features/*/contract and features/*/core.

  --base REV            compare with another revision
  --files PATH…         mutate these files or folders instead
  --sample N            run N mutants, picked at random
  --seed S              seed of the random order (default 1)
  --budget-seconds T    start no mutant after T seconds
  --max-test-seconds T  omit test files that take longer than T seconds without a mutant
  --minimum P           fail when the score of a package or feature is below P percent
  --write-survivors     write docs/mutation/NAME.md for each package and feature
  --verbose             print each mutant as it ends
`

/** @param {string[]} args command line without the program */
async function main(args) {
  const options = readOptions(args)
  if (options.help) return console.log(help)
  const root = options.root ?? projectFolder
  const named = options.names.length > 0 ? namedFiles(root, options.names) : changedFiles(root, options.base)
  const files = named.filter((file) => !isBrowserFile(file))
  for (const file of named.filter(isBrowserFile))
    console.log(`Skipped, only the browser tests can run it: ${file}`)
  if (files.length === 0) return console.log('Mutation: no changed file contains logic.')

  const report = await runMutants({
    ...options,
    root,
    files,
    equivalents: readEquivalents(root),
    onProgress: options.verbose ? console.log : undefined,
  })
  const groups = Map.groupBy(report.results, ({ group }) => group)
  for (const [group, results] of groups) printGroup(group, results)
  printGaps(report)
  if (options.writeSurvivors)
    for (const [group, results] of groups) await writeSurvivors(root, group, results, report, options)
  console.log(`Mutation: seed ${options.seed}, ${files.length} files, ${summary(report.results)}`)
  const isTooLow = [...groups.values()].some((results) => scoreOf(results) < options.minimum)
  if (isTooLow) console.error(`The score of a package or feature is below ${options.minimum}%.`)
  process.exitCode = isTooLow || report.brokenTests.length > 0 ? 1 : 0
}

function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    // `--files` takes every path that follows.
    allowPositionals: true,
    options: {
      base: { type: 'string' },
      files: { type: 'string', multiple: true, default: [] },
      sample: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: '1' },
      'budget-seconds': { type: 'string', default: 'Infinity' },
      'max-test-seconds': { type: 'string', default: 'Infinity' },
      minimum: { type: 'string', default: '0' },
      'write-survivors': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      root: { type: 'string' },
    },
  })
  const number = (name) => {
    const value = Number(values[name])
    if (Number.isNaN(value) || value < 0) throw new Error(`--${name} takes a number, not "${values[name]}".`)
    return value
  }
  if (positionals.length > 0 && values.files.length === 0)
    throw new Error(`Unknown argument ${positionals[0]}. Write --files before paths, or see --help.`)
  return {
    base: values.base,
    names: [...values.files, ...positionals],
    root: values.root,
    sample: number('sample'),
    seed: number('seed'),
    budgetMs: number('budget-seconds') * 1000,
    maxTestMs: number('max-test-seconds') * 1000,
    minimum: number('minimum'),
    writeSurvivors: values['write-survivors'],
    verbose: values.verbose,
    help: values.help,
  }
}

function readEquivalents(root) {
  try {
    return JSON.parse(readFileSync(join(root, 'tools', 'mutation', 'equivalents.json'), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}

function printGroup(group, results) {
  console.log(`\n${group}: ${summary(results)}`)
  for (const { outcome, label } of [
    { outcome: 'survived', label: 'survived   ' },
    { outcome: 'uncovered', label: 'not covered' },
  ]) {
    for (const mutant of sorted(results.filter((result) => result.outcome === outcome)))
      console.log(`  ${label} ${describeMutant(mutant)}`)
  }
}

function printGaps({ notRun, equivalentCount, brokenTests, slowTests }) {
  console.log('')
  if (equivalentCount > 0) console.log(`${equivalentCount} mutants are listed as equivalent and did not run.`)
  if (notRun.length > 0) console.log(`${notRun.length} mutants did not run: the time budget was used up.`)
  for (const test of slowTests) console.log(`Left out, as it takes too long: ${test}`)
  for (const test of brokenTests) console.log(`Fails without a mutant, so it was not used: ${test}`)
}

function summary(results) {
  const count = (wanted) => results.filter(({ outcome }) => outcome === wanted).length
  return (
    `score ${scoreOf(results)}% of ${results.length} mutants ` +
    `(${count('killed')} killed, ${count('timeout')} timed out, ${count('survived')} survived, ` +
    `${count('uncovered')} not covered)`
  )
}

async function writeSurvivors(root, group, results, { notRun }, { names, seed, sample, budgetMs }) {
  const missed = sorted(results.filter(({ outcome }) => outcome === 'survived' || outcome === 'uncovered'))
  const late = notRun.filter((mutant) => mutant.group === group).length
  const name = basename(group)
  const command = [
    `node tools/mutate.mjs${names.length > 0 ? ` --files ${names.join(' ')}` : ''}`,
    ...(sample === Infinity ? [] : [`--sample ${sample}`]),
    `--seed ${seed}`,
    ...(budgetMs === Infinity ? [] : [`--budget-seconds ${budgetMs / 1000}`]),
    '--write-survivors',
  ].join(' ')
  const sections = [...Map.groupBy(missed, ({ file }) => file)].map(([file, mutants]) =>
    [`## ${file}`, '', ...mutants.map(survivorLine)].join('\n'),
  )
  const text = [
    `# Surviving mutants of ${group}`,
    '',
    'Generated; do not edit. A survivor is a fault that no test notices. Decision 0059 describes the tool.',
    '',
    `- Command: \`${command}\``,
    `- Seed: ${seed}`,
    `- Sample: ${results.length} mutants${late > 0 ? `, ${late} more did not run in time` : ''}`,
    `- Result: ${summary(results)}`,
    '',
    ...(sections.length > 0 ? [sections.join('\n\n')] : ['No mutant survived.']),
    '',
  ].join('\n')
  mkdirSync(join(root, 'docs', 'mutation'), { recursive: true })
  const file = join(root, 'docs', 'mutation', `${name}.md`)
  writeFileSync(
    file,
    await prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file }),
  )
}

function survivorLine({ line, original, replacement, kind, outcome }) {
  const code = (text) => `\`\` ${text.replace(/\s+/g, ' ')} \`\``
  const note = outcome === 'uncovered' ? ', not covered' : ''
  return `- line ${line} (${kind}${note}): ${code(original)} → ${code(replacement)}`
}

function sorted(mutants) {
  return mutants.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start))
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
// If Vitest waits for a killed process, this process would not exit.
process.exit()
