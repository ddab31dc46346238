// `npm run bench -- NAME [--json]`: finds the benchmark files of a name, runs them in order, and prints their figures.
import { fork } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figure.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const notBenches = [
  'figure.ts',
  'pages.ts',
  'peers.ts',
  'run.ts',
  'run-one.ts',
  'with-folder.ts',
  'with-postgres.ts',
  'with-product.ts',
]

const args = process.argv.slice(2)
const asJson = args.includes('--json')
const [name = ''] = args.filter((arg) => !arg.startsWith('--'))
const files = filesOf(name)

if (files.length === 0) {
  console.error(`Unknown benchmark “${name}”. The benchmarks are: ${allNames().join(', ')}.`)
  process.exitCode = 1
} else {
  const figures: Figure[] = []
  for (const file of files) {
    console.error(`Measuring ${file} …`)
    figures.push(...(await measure(file)))
  }
  console.log(asJson ? JSON.stringify({ figures }) : table(figures))
  process.exitCode = figures.every((figure) => figure.holds) ? 0 : 1
}

/** `foundation` covers the goals of the whole product, including the engines. */
function filesOf(wanted: string): string[] {
  if (wanted === '') return []
  const prefixes = [wanted]
  if (wanted === 'foundation') prefixes.push('storage', 'charts')
  return benchFiles().filter((file) =>
    prefixes.some((prefix) => file === `${prefix}.ts` || file.startsWith(`${prefix}-`)),
  )
}

function allNames(): string[] {
  return benchFiles()
    .map((file) => basename(file, '.ts'))
    .toSorted()
}

function benchFiles(): string[] {
  return readdirSync(folder).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !notBenches.includes(file),
  )
}

/** Measures in a separate process, so that one benchmark does not affect the next. */
function measure(file: string): Promise<Figure[]> {
  return new Promise((resolve, reject) => {
    // The output of a benchmark goes to standard error, because standard output contains only the figures.
    const child = fork(`${folder}/run-one.ts`, [file], {
      stdio: ['ignore', 2, 2, 'ipc'],
      execArgv: ['--expose-gc'],
    })
    let figures: Figure[] | undefined
    child.once('message', (message) => {
      figures = message as Figure[]
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (figures) resolve(figures)
      else reject(new Error(`${file} exited with ${code} and without figures.`))
    })
  })
}

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name: what, value, unit, peer, ratio, goal, holds }) => [
    what,
    `${rounded(value)} ${unit}`,
    ratio === null ? '' : `${rounded(ratio)} × ${peer}`,
    goal,
    holds ? 'holds' : 'MISSED',
  ])
  const all = [['what', 'value', 'against', 'goal', ''], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function rounded(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
