import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import prettier from 'prettier'
import { commonErrors, pathOf, type Route } from '@headwater/contract'
import { httpErrors } from '@headwater/server-kit'
import { responseOf } from '../tests/acceptance/http-example-responses.ts'
import { httpExamples, type HttpExample } from '../tests/acceptance/http-examples.ts'

/**
 * Writes docs/reference/http-api.md from the contracts of all features, and docs/decisions/README.md from the titles of
 * the decisions. With `--check` it writes nothing and exits with code 1 when a file differs.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'docs', 'reference')
const decisions = join(root, 'docs', 'decisions')

interface FeatureRoutes {
  name: string
  routes: Route[]
}

async function readFeatures(): Promise<FeatureRoutes[]> {
  const order = JSON.parse(await readFile(join(root, 'features', 'order.json'), 'utf8')) as string[]
  const present = new Set(await readdir(join(root, 'features')))
  const names = order.filter(
    (name) => present.has(name) && existsSync(join(root, 'features', name, 'contract', 'index.ts')),
  )
  const features = await Promise.all(
    names.map(async (name) => {
      const contract = (await import(
        pathToFileURL(join(root, 'features', name, 'contract', 'index.ts')).href
      )) as Record<string, unknown>
      return { name, routes: Object.values(contract).filter(isRoute) }
    }),
  )
  return features.filter(({ routes }) => routes.length > 0)
}

function isRoute(value: unknown): value is Route {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    'path' in value &&
    'permission' in value
  )
}

function toMarkdown(features: FeatureRoutes[]): string {
  const sections = features.map(
    ({ name, routes }) =>
      `## ${name}\n\n| call | description | permission | runs | errors |\n| --- | --- | --- | --- | --- |\n${routes
        .map(
          (route) =>
            `| \`${route.method} ${route.path}\` | ${cell(route.summary)} | ${permissionText(route)} | ${route.allowsRunTokens ? 'yes' : ''} | ${(route.errors ?? []).join(', ')} |`,
        )
        .join('\n')}${examplesOf(routes)}`,
  )
  return `# HTTP API\n\nGenerated from the contracts by \`npm run check\`; a running server returns the fields of each call at \`/openapi.json\`.\nEvery call takes \`Authorization: Bearer …\`, \`ApiKey NG_…\` or \`Basic …\`; every error has the shape \`{timestamp, status, code, message, validationErrors?, errorId?}\`.\nA body has at most 64 KiB without a sign-in and 1 MiB with one, or what \`/openapi.json\` names; JSON has at most 64 levels, 1,000,000 values and 150,000 members of objects. The content of files has no such limit.\nCode of a run can call the routes with “yes” in the column *runs*, with the token in \`NG_API_AUTHTOKEN\`.\nA test sends the examples to a real server. Their lists have one item, and tokens are shortened.\n\nBesides the errors in the column *errors*, every call can return: ${everyCallErrors()}.\n\n${sections.join('\n\n')}\n`
}

function everyCallErrors(): string {
  const codes = [
    ...Object.keys(commonErrors),
    ...Object.keys(httpErrors),
    'invalidInput',
    'invalidRequest',
    'unexpected',
  ]
  return codes
    .toSorted()
    .map((code) => `\`${code}\``)
    .join(', ')
}

function examplesOf(routes: Route[]): string {
  const examples = routes.flatMap(({ name }) => httpExamples.filter(({ route }) => route.name === name))
  if (examples.length === 0) return ''
  return `\n\n### Examples\n\n${examples.map(exampleText).join('\n\n')}`
}

function exampleText({ route, call, isAnonymous = false }: HttpExample): string {
  const { params, query, body } = inserted(call) as { params?: never; query?: never; body?: unknown }
  const search = new URLSearchParams(query).toString().replaceAll('+', '%20')
  const isJson = (route.bodyKind ?? 'json') === 'json'
  const request = [
    `${route.method} ${pathOf(route.path, params)}${search === '' ? '' : `?${search}`}`,
    ...(isAnonymous ? [] : ['Authorization: ApiKey NG_…']),
    ...(body === undefined ? [] : ['', isJson ? JSON.stringify(body, null, 2) : (body as string).trimEnd()]),
  ].join('\n')
  const { status, json, text } = responseOf(route.name)
  const response =
    text === undefined ? fenced('json', JSON.stringify(json, null, 2)) : fenced('text', text.trimEnd())
  return `#### ${route.name}\n\n${fenced('http', request)}\n\nStatus ${status}:\n\n${response}`
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

/** Replaces `{{name}}` in all texts of a request by the value in the response that the reference shows. */
function inserted(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(savedValue(name)))
  if (Array.isArray(value)) return value.map(inserted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inserted(each)]))
}

function savedValue(name: string): unknown {
  const { route, saves } = httpExamples.find((example) => example.saves?.[name] !== undefined)!
  return saves!
    [name]!.split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], responseOf(route.name).json)
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function permissionText({ permission }: Route): string {
  return typeof permission === 'string' ? permission : `${permission.resource} ${permission.mode}`
}

/** Returns the list of all decisions with their titles. */
async function indexOfDecisions(): Promise<string> {
  const names = (await readdir(decisions)).filter((name) => /^\d{4}-.*\.md$/.test(name)).toSorted()
  const rows = await Promise.all(
    names.map(async (name) => {
      const [heading = ''] = (await readFile(join(decisions, name), 'utf8')).split('\n', 1)
      const [, number, title] = /^# (\d{4}):? (.+)$/.exec(heading) ?? []
      if (number === undefined || title === undefined || !name.startsWith(number))
        throw new Error(`docs/decisions/${name} must begin with “# ${name.slice(0, 4)} ” and a title.`)
      return `| ${number} | [${cell(title)}](${name}) |`
    }),
  )
  return [
    '# Decisions',
    'Generated by `node tools/generate-reference.ts`. Each page states a context, a decision and its consequences. The licences and reasons of the dependencies are in [dependencies.md](dependencies.md).',
    `| number | decision |\n| --- | --- |\n${rows.join('\n')}\n`,
  ].join('\n\n')
}

const isCheck = process.argv.includes('--check')
const options = (await prettier.resolveConfig(join(root, 'package.json'))) ?? {}
const pages: [string, string][] = [
  [join(folder, 'http-api.md'), toMarkdown(await readFeatures())],
  [join(decisions, 'README.md'), await indexOfDecisions()],
]
for (const [path, content] of pages) {
  const text = await prettier.format(content, { ...options, parser: 'markdown' })
  if (!isCheck) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  } else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    console.error(`${relative(root, path)} is not up to date. Run: node tools/generate-reference.ts`)
    process.exitCode = 1
  }
}
