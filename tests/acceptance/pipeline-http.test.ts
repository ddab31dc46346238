import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMailServer, startTestServer, type MailServer, type TestServer } from '@headwater/server/testing'

/** Users and programs of this test use only the HTTP API of the server. */
let server: TestServer
let mailServer: MailServer
let source: Server
let prices: { date: string; close: number }[] = []
const keys: unknown[] = []
const group = 'Desk'
const key = 'k-7c1f0e52-0b'

beforeAll(async () => {
  source = createServer((request, response) => {
    keys.push(request.headers['x-api-key'])
    response.writeHead(request.headers['x-api-key'] === key ? 200 : 401).end(JSON.stringify(prices))
  })
  source.listen(0, '127.0.0.1')
  await once(source, 'listening')
  mailServer = await startMailServer()
  server = await startTestServer({
    env: {
      HEADWATER_SMTP_URL: mailServer.url,
      HEADWATER_INTERNAL_HOSTS: sourceHost(),
      HEADWATER_PACKAGES: 'system',
    },
  })
})
afterAll(async () => {
  await server.stop()
  await mailServer.stop()
  source.closeAllConnections()
  source.close()
})

const sourceHost = () => `127.0.0.1:${(source.address() as AddressInfo).port}`

type Json = Record<string, unknown>

async function send(method: string, path: string, body?: unknown): Promise<Json> {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const response = await server.admin.fetch(path, { method, ...content })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as Json
}

/**
 * The calls of the client libraries `northgravity` and `generalindex`, without the libraries: no system provides them as packages, and tests
 * use no network outside this machine.
 */
const library = `
import json, os, urllib.parse, urllib.request
api = os.environ["NG_API_ENDPOINT"]
headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "X-KH-JOB-ID": os.environ["JOBID"],
    "X-KH-E-ID": os.environ["EID"]}
def call(method, path, body=None, kind="application/json"):
    request = urllib.request.Request(api + path, body, {**headers, "Content-Type": kind}, method=method)
    return urllib.request.urlopen(request).read().decode()
def value_path(name):
    return "/mgmt/store/" + os.environ["PIPELINE_ID"] + "/" + urllib.parse.quote(os.environ[name], safe="$")
def read_task_parameter_value(name):
    return json.loads(call("GET", value_path(name)))["value"]
def write_task_parameter_value(name, value):
    call("POST", value_path(name), value.encode(), "text/plain")
def send_status(status, message):
    call("POST", "/status", json.dumps({"jobId": os.environ["JOBID"], "eId": os.environ["EID"], "status": status,
        "message": message, "className": "python", "groupName": os.environ["NG_STATUS_GROUP_NAME"],
        "componentName": os.environ["NG_COMPONENT_NAME"], "time": "2026-01-05T12:00:00"}).encode())
def upload_file(content, name, file_type):
    made = json.loads(call("POST", "/file", json.dumps({"groupName": None, "fileName": name, "fileType": file_type,
        "fields": []}).encode()))
    urllib.request.urlopen(urllib.request.Request(made["location"], content.encode(),
        {"Content-Type": "application/octet-stream"}, method="PUT"))
    found = json.loads(call("GET", "/file/search?size=1&from=0&query=uuid%3D" + made["fileId"]))
    return found["items"][0]["fid"], name
class PythonStepWarnException(Exception):
    pass
`

const scripts = {
  fetch: `
import requests
response = requests.get(os.environ["SOURCE"], headers={"X-Api-Key": os.environ["KEY"]}, timeout=30)
response.raise_for_status()
print("fetched with", os.environ["KEY"], len(response.json()), "prices")
write_task_parameter_value("PRICES", response.text)`,
  check: `
import numpy, pandas
prices = pandas.DataFrame(json.loads(read_task_parameter_value("PRICES")))
negative = prices[prices["close"] < 0]
if not negative.empty:
    raise PythonStepWarnException(f"The price of {negative['date'].iloc[0]} is negative.")
send_status("INFO", f"{len(prices)} prices are valid, {numpy.round(prices['close'].mean(), 3)} on average.")`,
  load: `
import pandas
prices = pandas.DataFrame(json.loads(read_task_parameter_value("PRICES")))
prices.insert(0, "Code", "BRENT")
table = prices.rename(columns={"date": "Date", "close": "Close"})[["Code", "Date", "Close"]]
file_id, name = upload_file(table.to_csv(index=False, lineterminator="\\r\\n"), "temp.csv", "NCSV")
print("uploaded", name)`,
}

/** System packages that each script imports. */
const requirements: Record<keyof typeof scripts, string[]> = {
  fetch: ['requests'],
  check: ['numpy', 'pandas'],
  load: ['pandas'],
}

const reference = (number: number) => '${' + `9a5a1d3e-0000-4000-8000-00000000000${number}` + '}'
const pricesReference = reference(1)

const input = (name: string, value: string) => ({ name, type: 'INPUT', value })
const output = (name: string, value: string) => ({ name, type: 'OUTPUT', value })
const task = (id: string, previous: string[], params: object[], taskGroup = '') => ({
  id,
  taskReadableName: id,
  taskName: id,
  taskGroup,
  prevTasks: previous.map((other) => ({ id: other })),
  taskOverrides: { params },
})

/** Saves the scripts, the insight and the pipeline, and returns the id of the pipeline. */
async function savePipeline(): Promise<string> {
  await send('POST', '/file/group', { name: group })
  await send('PUT', '/mgmt/secret/exchange-key', { value: key, groupName: group })
  const parameters: Record<keyof typeof scripts, object[]> = {
    fetch: [
      { name: 'SOURCE', valueType: 'TEXT', value: `http://${sourceHost()}/prices` },
      { name: 'KEY', valueType: 'SECRET', value: 'exchange-key' },
      { name: 'PRICES', type: 'OUTPUT', valueType: 'TEXT' },
    ],
    check: [{ name: 'PRICES', valueType: 'TEXT' }],
    load: [{ name: 'PRICES', valueType: 'TEXT' }],
  }
  for (const [name, lines] of Object.entries(scripts)) {
    const script = { name: 'Script', valueType: 'SCRIPT', value: library + lines }
    const params = [script, ...parameters[name as keyof typeof scripts]]
    const { id, warnings } = await send('POST', '/mgmt/task', {
      name,
      groupName: group,
      definitionName: 'python-runner',
      params,
      requirements: requirements[name as keyof typeof scripts].map((each) => ({ name: each })),
    })
    expect(warnings).toEqual([])
    if (name === 'fetch') await send('PUT', `/mgmt/task/${String(id)}/hosts`, { hosts: [sourceHost()] })
  }
  const insightName = 'Prices of Brent'
  await send('POST', '/insights', {
    insightName,
    groupName: group,
    content: {
      tiles: [{ id: 't', type: 'Table', title: 'Close', range: 'ALL' }],
      datapreps: {
        t: { symbols: [{ groupName: group, symbols: { Code: 'BRENT' }, valueColumnName: 'Close' }] },
      },
    },
  })
  const tasks = [
    task('fetch', [], [output('PRICES', pricesReference)], group),
    task('check', ['fetch'], [input('PRICES', pricesReference)], group),
    task('load', ['check'], [input('PRICES', pricesReference)], group),
    task(
      'tile-downloader',
      ['load'],
      [input('groupName', group), input('fileName', `${insightName}.json`), output('tiles', reference(2))],
    ),
    task(
      'generic-html-template',
      ['tile-downloader'],
      [
        input('tiles', reference(2)),
        input('title', insightName),
        input('groupName', group),
        input('outputFile', 'prices.html'),
        output('file', reference(3)),
        output('text', reference(4)),
      ],
    ),
    task(
      'email-sender',
      ['generic-html-template'],
      [
        input('subject', 'Prices of today'),
        input('recipients', 'anna@example.com'),
        input('bodyFile', reference(3)),
        input('text', reference(4)),
      ],
    ),
  ]
  const made = await send('POST', '/mgmt/pipeline', { name: 'daily prices', groupName: group, tasks })
  return String((made.pipeline as Json).id)
}

/** Follows `GET /events` and returns the changed jobs: event and id of the job. */
async function followEvents() {
  const ending = new AbortController()
  const response = await server.admin.fetch('/events', { signal: ending.signal })
  const reader = response.body!.getReader()
  let text = ''
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += Buffer.from(value).toString()
    }
  })().catch(() => {})
  await expect.poll(() => text).toContain('id: ')
  return {
    of: (jobId: string) =>
      [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)]
        .filter(([, , data]) => (JSON.parse(data!) as Json).jobId === jobId)
        .map(([, event]) => event),
    async close() {
      ending.abort()
      await reading
    },
  }
}

interface Component {
  component: string
  status: string
  message: string
  messages?: { status: string; message: string }[]
  payload: Json
}

interface Run {
  jobId: string
  status: string
  message: string
  steps: Component[]
  /** Uploads within the run. */
  uploads: Component[]
  /** Lines of the log by step. */
  log: string[]
  events: (string | undefined)[]
}

/** Runs a pipeline to its end and returns what users see of it. */
async function run(pipelineId: string): Promise<Run> {
  const events = await followEvents()
  const { jobId } = (await send('POST', `/mgmt/pipeline/${pipelineId}/execute`, {})) as { jobId: string }
  const find = async () => ((await send('GET', `/status?jobId=${jobId}`)).items as Json[])[0]!
  await expect.poll(async () => (await find()).endTime).toBeDefined()
  const job = await find()
  const { items } = await send('GET', `/log/${jobId}?size=100`)
  const log = (items as { component: string; level: string; text: string }[]).map(
    ({ component, level, text }) => `${component} ${level} ${text}`,
  )
  await expect.poll(() => new Set(events.of(jobId)).size).toBe(2)
  const received = events.of(jobId)
  await events.close()
  const components = job.componentStatuses as Component[]
  const isStep = ({ payload }: Component) => payload.fileId === undefined
  return {
    jobId,
    status: job.status as string,
    message: (job.latestStatus as { message: string }).message,
    steps: components.filter(isStep),
    uploads: components.filter((each) => !isStep(each)),
    log,
    events: received,
  }
}

const outcomes = ({ steps }: Run) => steps.map(({ component, status }) => `${component} ${status}`)

async function storedPrices(): Promise<string> {
  const keysOfQuery = [{ groupName: group, symbols: { Code: 'BRENT' } }]
  const response = await server.admin.fetch('/ts/stream', {
    method: 'POST',
    body: JSON.stringify({ keys: keysOfQuery, formatType: 'NCSV' }),
    headers: { 'Content-Type': 'application/json' },
  })
  return response.text()
}

test('using only HTTP, a pipeline fetches prices with requests and a secret, checks them with pandas, stops at a warning, and with valid data stores series and mails an insight', async () => {
  const pipelineId = await savePipeline()
  prices = [
    { date: '2026-01-01', close: 60.5 },
    { date: '2026-01-02', close: -61.25 },
  ]
  const stopped = await run(pipelineId)
  expect(outcomes(stopped)).toEqual([
    'fetch INFO',
    'check WARN',
    'load UNEXECUTED',
    'tile-downloader UNEXECUTED',
    'generic-html-template UNEXECUTED',
    'email-sender UNEXECUTED',
  ])
  const warning = 'The price of 2026-01-02 is negative.'
  expect(stopped).toMatchObject({ status: 'WARN', message: `“check”: ${warning}`, uploads: [] })
  expect(stopped.steps[1]?.message.split('\n')[0]).toBe(warning)
  expect(stopped.log).toContain('fetch INFO fetched with [secret] 2 prices')
  expect(stopped.log).toContain(`check WARN run: ${warning}`)
  expect(mailServer.mails).toEqual([])
  expect(await storedPrices()).not.toContain('60.5')

  prices[1]!.close = 61.25
  const succeeded = await run(pipelineId)
  expect(outcomes(succeeded)).toEqual([
    'fetch INFO',
    'check INFO',
    'load INFO',
    'tile-downloader INFO',
    'generic-html-template INFO',
    'email-sender INFO',
  ])
  expect(succeeded).toMatchObject({ status: 'INFO', message: 'All 6 tasks succeeded.' })
  expect(succeeded.steps[1]?.messages).toMatchObject([
    { status: 'INFO', message: '2 prices are valid, 60.875 on average.' },
  ])
  expect(succeeded.steps[5]?.message).toBe('Sent to anna@example.com.')
  expect(succeeded.uploads).toMatchObject([{ status: 'INFO', payload: { fileName: 'temp.csv' } }])
  expect(succeeded.log).toContain('load INFO uploaded temp.csv')
  expect(succeeded.log).toContain('email-sender INFO Sent to anna@example.com.')
  expect(succeeded.log).toContainEqual(expect.stringMatching(/^ETL INFO temp\.csv: /))
  expect((await storedPrices()).match(/BRENT/g)).toHaveLength(2)
  const [mail, ...furtherMails] = mailServer.mails
  expect(furtherMails).toEqual([])
  expect(mail?.to).toEqual(['anna@example.com'])
  for (const text of [
    'Subject: Prices of today',
    'Prices of Brent',
    '2026-01-01',
    '60.5',
    '2026-01-02',
    '61.25',
  ])
    expect(mail?.text).toContain(text)

  // A reader who follows the events has received both kinds of changes of both runs, and the key was sent only to its
  // source.
  for (const each of [stopped, succeeded]) expect(new Set(each.events)).toEqual(new Set(['status', 'log']))
  expect(new Set(keys)).toEqual(new Set([key]))
  expect(JSON.stringify([stopped, succeeded, mail])).not.toContain(key)
})
