import type { Readable } from 'node:stream'
import { decodeText, formatFileSize, linesIn } from '@headwater/contract'
import type { Egress, EgressRequest } from '@headwater/server-kit'
import { isUnavailableStatus, type StepOutcome, type StepWork } from '@headwater/runs/server'
import type { TaskKind } from '../task-kinds.ts'
import {
  failed,
  input,
  libraryKind,
  output,
  safeFileName,
  storeContent,
  when,
  type LibraryFiles,
} from './kind-parts.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const methodsWithBody = ['POST', 'PUT', 'PATCH', 'DELETE']
/** Maximum size of a response stored as a file, in bytes. */
const maxFileBytes = 50 * 1024 ** 3
/** Maximum size of a response returned as an output, in bytes. */
const maxTextBytes = 500_000
const maxHeaders = 50

/** Parameters of the authentication of a request. The names of secrets are resolved before the step runs. */
const authenticationParams = [
  input('Authentication', 'CHOICE', 'How the request authenticates. Messages never contain the secret.', {
    defaultValue: 'none',
    choices: ['none', 'bearer', 'basic', 'header'],
  }),
  input('Secret', 'SECRET', 'Token, password or value of the header.', {
    condition: when('Authentication', 'bearer', 'basic', 'header'),
  }),
  input('User name', 'TEXT', 'User name for basic authentication.', {
    condition: when('Authentication', 'basic'),
  }),
  input('Header name', 'TEXT', 'Name of the header with the secret.', {
    defaultValue: 'X-API-Key',
    condition: when('Authentication', 'header'),
  }),
]

/** Creates the kind of task that sends an HTTP request and stores the response as a file, or returns it as text. */
export function createHttpRequest({
  egress,
  files,
}: {
  egress: Pick<Egress, 'request'>
  files: LibraryFiles
}): TaskKind {
  async function run(work: StepWork): Promise<StepOutcome> {
    const { inputs, signal, timeout } = work
    const problem = problemOf(inputs)
    if (problem !== undefined) return failed(problem)
    const method = inputs.Method || 'GET'
    const target = inputs['Store response in'] ?? ''
    const response = await egress.request({
      url: inputs.URL ?? '',
      method,
      headers: headersOf(inputs),
      ...(methodsWithBody.includes(method) && inputs.Body ? { body: inputs.Body } : {}),
      signal,
      timeoutMs: timeout * 1000,
      maxResponseBytes: target === '' ? maxTextBytes : maxFileBytes,
    })
    const status = String(response.status)
    if (response.status < 200 || response.status >= 300) {
      return {
        ...failed(`The server responded with the status ${status}.`),
        errors: isUnavailableStatus(response.status) ? ['unavailable'] : ['other'],
        detail: await errorDetail(response.body),
        outputs: { Status: status },
      }
    }
    const encoding = response.headers['content-encoding'] ?? 'identity'
    if (encoding.trim().toLowerCase() !== 'identity') {
      response.body.destroy()
      return {
        ...failed(
          `The server compressed its response (${encoding}). Use a URL that returns uncompressed content.`,
        ),
        outputs: { Status: status },
      }
    }
    if (target === '') {
      const text = await textOf(response.body)
      return {
        status: 'INFO',
        message: `Received the status ${status}.`,
        outputs: { Status: status, Response: text },
      }
    }
    const name = inputs['File name'] || new URL(response.url).pathname
    const fileName = safeFileName(decodeText(name), 'response')
    const stored = await storeContent(
      files,
      work,
      { groupName: target, fileName, fileType: 'SOURCE' },
      response.body,
    )
    return {
      status: 'INFO',
      message: `Stored ${fileName} (${formatFileSize(stored.size)}) in ${target}.`,
      outputs: { Status: status, File: stored.value },
    }
  }

  return {
    ...libraryKind,
    definitionId: 'http-request',
    definitionName: 'http-request',
    readableName: 'HTTP request',
    category: 'Source',
    description:
      'Sends an HTTP request, and stores the response as a file or passes it to later tasks as text.',
    params: [
      input('URL', 'TEXT', 'URL with http:// or https://. An administrator must allow internal hosts.'),
      input('Method', 'CHOICE', 'HTTP method.', { defaultValue: 'GET', choices: methods }),
      input('Headers', 'LONG_TEXT', 'One header per line, such as Accept: text/csv.', { optional: true }),
      input('Body', 'LONG_TEXT', 'Body of the request.', {
        optional: true,
        condition: when('Method', ...methodsWithBody),
      }),
      ...authenticationParams,
      input(
        'Store response in',
        'GROUP',
        'Group for the response. If empty, the output Response contains it, up to 500 kB.',
        {
          optional: true,
        },
      ),
      input('File name', 'TEXT', 'Name of the file. Default: the last part of the URL.', {
        optional: true,
        condition: { paramName: 'Store response in', operator: 'not null', value: '' },
      }),
      output('File', 'FILE', 'The stored response.'),
      output('Response', 'LONG_TEXT', 'The response as text, if no group is set.'),
      output('Status', 'NUMBER', 'HTTP status of the response.'),
    ],
    // After a crash, the server cannot know whether the request arrived.
    repeatable: false,
    problemOf,
    run,
  }
}

/** Returns an error message for invalid inputs. */
export function problemOf(inputs: Readonly<Record<string, string>>): string | undefined {
  const { URL: url, Headers: headers } = inputs
  if (url !== undefined && url !== '') {
    const parsed = URL.parse(url)
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
      return 'The URL must begin with http:// or https://.'
    if (parsed.username !== '' || parsed.password !== '')
      return 'The URL must not contain a user name or password. Use the parameter Authentication.'
  }
  if (headers === undefined) return undefined
  const lines = linesIn(headers)
  if (lines.length > maxHeaders) return `A request can have at most ${maxHeaders} headers.`
  const wrong = lines.find((line) => !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+\s*:/.test(line))
  return wrong === undefined
    ? undefined
    : `“${wrong.slice(0, 40)}” is not a header. Use a form such as Accept: text/csv.`
}

/** Returns the headers of a request, including authentication headers. */
export function headersOf(inputs: Readonly<Record<string, string>>): NonNullable<EgressRequest['headers']> {
  const headers = new Map<string, string>()
  for (const line of linesIn(inputs.Headers ?? '')) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim())
  }
  const { Authentication: kind = 'none', Secret: secret = '' } = inputs
  const name = inputs['User name'] ?? ''
  if (kind === 'bearer') headers.set('Authorization', `Bearer ${secret}`)
  if (kind === 'basic')
    headers.set('Authorization', `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`)
  if (kind === 'header') headers.set(inputs['Header name'] || 'X-API-Key', secret)
  // A header named `__proto__` would set the prototype of a plain object.
  return Object.fromEntries(headers)
}

/** Returns the body of an error response for the log. */
export async function errorDetail(body: Readable): Promise<string> {
  const text = await textOf(body, 2000)
  return text.trim() === '' ? '' : `Response: ${text}`
}

/** Returns a body as a string, truncated to a number of bytes. */
export async function textOf(body: Readable, maxBytes = maxTextBytes): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}
