import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '@headwater/web-kit'
import { saveFileVersion, saveNewFile, uploadFile } from './files-client.ts'
import { uploadInParts } from './upload-in-parts.ts'

/** A request that sends bytes, as a browser offers it; `onSend` decides how it ends. */
class SentRequest extends EventTarget {
  static readonly all: SentRequest[] = []
  static onSend: (request: SentRequest) => void = () => undefined
  readonly upload = new EventTarget()
  status = 0
  responseText = ''
  url = ''
  method = ''
  sentBytes = 0
  end: 'load' | 'error' | 'abort' | undefined
  open(method: string, url: string): void {
    Object.assign(this, { method, url })
  }
  setRequestHeader(): void {}
  send(bytes: Blob): void {
    this.sentBytes = bytes.size
    SentRequest.all.push(this)
    SentRequest.onSend(this)
  }
  respond(status: number, body: unknown): void {
    Object.assign(this, { status, responseText: JSON.stringify(body) })
    this.#finish('load')
  }
  abort(): void {
    if (this.end === undefined) this.#finish('abort')
  }
  /** Ends without a response. */
  lose(): void {
    this.#finish('error')
  }
  #finish(end: 'load' | 'error' | 'abort'): void {
    this.end = end
    this.dispatchEvent(new Event(end))
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
  SentRequest.all.length = 0
})

const large = new Blob([new Uint8Array(33 * 1024 * 1024)])
const fileId = 'e080f080-27a7-4c12-b95c-2b80f88cc149'
const receipt = {
  fileId,
  jobId: fileId,
  size: large.size,
  sha256: '0'.repeat(64),
  status: 'READY',
  message: '',
}

/** Responds to announcements and completions, and to uploads as `onSend` does. Returns the paths of the calls. */
function respondTo(onSend: (request: SentRequest) => void): string[] {
  const calls: string[] = []
  vi.stubGlobal('XMLHttpRequest', SentRequest)
  SentRequest.onSend = onSend
  vi.stubGlobal('fetch', async (path: string) => {
    calls.push(path)
    const location = `https://lake.example.com/file/${fileId}/content?token=permit`
    return Response.json(path.includes('/parts') ? receipt : { fileId, permit: 'permit', location })
  })
  return calls
}

const details = { groupName: 'Lake', fileName: 'large.csv', fileType: 'SOURCE' }
const base = { ...details, zipped: false }

test.each([
  {
    what: 'a new version',
    save: () => saveFileVersion(base, large, 'older'),
    parameters: { basedOn: 'older', keepsMetadata: 'true' },
  },
  { what: 'a new file', save: () => saveNewFile(details, large), parameters: { basedOn: 'none' } },
])('DP-219 a save of 33 MiB as $what is a single upload request', async ({ save, parameters }) => {
  const calls = respondTo((request) => request.respond(200, receipt))
  expect(await save()).toMatchObject({ status: 'READY' })
  const query = new URLSearchParams(SentRequest.all[0]!.url.split('?')[1])
  expect(Object.fromEntries(query)).toMatchObject(parameters)
  const uploads = SentRequest.all.map(({ method, url, sentBytes }) => [method, url.split('?')[0], sentBytes])
  expect(uploads).toEqual([['PUT', `/file/${fileId}/content`, 34_603_008]])
  expect(calls).toEqual(['/file'])
})

test('other 33 MiB uploads are sent in parts', async () => {
  respondTo((request) => request.respond(200, {}))
  await uploadFile(large, { ...details, fields: [] })
  expect(SentRequest.all.every(({ url }) => url.includes('/parts/'))).toBe(true)
  expect(SentRequest.all.reduce((sum, { sentBytes }) => sum + sentBytes, 0)).toBe(34_603_008)
})

test('when a part is rejected, the other requests are aborted, lost parts are not sent again, and the upload is not completed', async () => {
  const refusal = { code: 'storageFull', message: 'The storage is full.' }
  const calls = respondTo((request) => {
    const number = /parts\/(\d)/.exec(request.url)?.[1]
    if (number === '2') request.lose()
    if (number === '3') setTimeout(() => request.respond(507, refusal))
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const failure = uploadInParts({ fileId, permit: 'permit' }, large).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(10)
    expect(await failure).toBeInstanceOf(ApiError)
    expect(await failure).toMatchObject({ status: 507 })
    await vi.advanceTimersByTimeAsync(300_000)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
  expect(SentRequest.all.map(({ end }) => end)).toEqual(['abort', 'error', 'load'])
  expect(calls).toEqual([])
})

test('a cancelled upload sends nothing more', async () => {
  const stop = new AbortController()
  const calls = respondTo(() => stop.abort())
  const sending = uploadInParts({ fileId, permit: 'permit' }, large, { signal: stop.signal })
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
  expect(SentRequest.all).toHaveLength(1)
  expect(calls).toEqual([])
})
