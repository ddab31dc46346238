import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createEventFeed, type EventFeed, type FeedTimes } from './event-feed.ts'

/** Open streams of the server, oldest first. */
let streams: { request: IncomingMessage; response: ServerResponse }[] = []
let server: Server
let count = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    const stream = { request, response }
    streams.push(stream)
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('id: start\n\n')
    response.once('close', () => (streams = streams.filter((each) => each !== stream)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
const stops: (() => void)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await expect.poll(() => streams.length).toBe(0)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`

const newName = () => `feed ${(count += 1)}`

/** A browser tab. Tabs with the same name share a stream. */
function openTab(name: string, times: Partial<FeedTimes> = {}): EventFeed {
  return createEventFeed({
    name,
    open: (lastEventId, signal) =>
      fetch(url(), { signal, headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId } }),
    times: { retryMs: 10, idleMs: 0, ...times },
  })
}

/** Subscribes in a tab. Returns the received events and a function that unsubscribes. */
function listen(feed: EventFeed) {
  const events: string[] = []
  const stop = feed.subscribe(({ type, data }) => events.push(`${type} ${data}`))
  stops.push(stop)
  return { events, stop }
}

const isOpen = (open = 1) => expect.poll(() => streams.length).toBe(open)

test('tabs share one stream, and each of them receives its events', async () => {
  const name = newName()
  const [first, second] = [listen(openTab(name)), listen(openTab(name))]
  await isOpen()
  streams[0]!.response.write('event: status\ndata: 1\n\nevent: log\nda')
  streams[0]!.response.write('ta: 2\n\n: comment\nid: 7\n\n')
  for (const { events } of [first, second]) await expect.poll(() => events).toEqual(['status 1', 'log 2'])
  await isOpen()
})

test('when the tab with the stream closes, another one resumes after the last event; without tabs no stream is open', async () => {
  const name = newName()
  const [first, second] = [listen(openTab(name)), listen(openTab(name))]
  await isOpen()
  streams[0]!.response.write('event: status\ndata: 1\n\nid: 7\n\n')
  await expect.poll(() => second.events).toEqual(['status 1'])
  const [leader] = streams
  first.stop()
  await expect.poll(() => streams.length === 1 && streams[0] !== leader).toBe(true)
  expect(streams[0]!.request.headers['last-event-id']).toBe('7')
  streams[0]!.response.write('event: status\ndata: 2\n\n')
  await expect.poll(() => second.events).toEqual(['status 1', 'status 2'])
  expect(first.events).toEqual(['status 1'])
  second.stop()
  await isOpen(0)
})

test('a tab that was opened after the last event resumes after it when the tab with the stream closes', async () => {
  const name = newName()
  const first = listen(openTab(name))
  await isOpen()
  streams[0]!.response.write('event: status\ndata: 1\n\nid: 7\n\n')
  await expect.poll(() => first.events).toEqual(['status 1'])
  const [leader] = streams
  const messages: unknown[] = []
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }) => messages.push(data))
  const second = listen(openTab(name))
  await expect.poll(() => messages).toContainEqual({ id: '7', events: [] })
  channel.close()
  first.stop()
  await expect.poll(() => streams.length === 1 && streams[0] !== leader).toBe(true)
  expect(streams[0]!.request.headers['last-event-id']).toBe('7')
  second.stop()
})

test('a stream that ends or becomes silent is reopened after the last event', async () => {
  const { events, stop } = listen(openTab(newName()))
  await isOpen()
  streams[0]!.response.end('event: status\ndata: 1\nid: 3\n\n')
  await expect.poll(() => streams[0]?.request.headers['last-event-id']).toBe('3')
  expect(events).toEqual(['status 1'])
  stop()
  await isOpen(0)
  listen(openTab(newName(), { silenceMs: 200 }))
  await isOpen()
  const [silent] = streams
  await expect.poll(() => streams.length === 1 && streams[0] !== silent).toBe(true)
})

test('a page that replaces another one uses the same stream', async () => {
  const feed = openTab(newName(), { idleMs: 1000 })
  const before = listen(feed)
  await isOpen()
  const [stream] = streams
  before.stop()
  const after = listen(feed)
  stream!.response.write('event: status\ndata: 1\n\n')
  await expect.poll(() => after.events).toEqual(['status 1'])
  expect(streams).toEqual([stream])
})

test('a rejected stream is not requested again soon; a failed stream is, with increasing delays', async () => {
  const attempts: Record<string, number> = { refused: 0, failed: 0 }
  const failing = (kind: 'refused' | 'failed', status: number) =>
    createEventFeed({
      name: newName(),
      async open() {
        attempts[kind]! += 1
        throw new ApiError({ status, code: kind, message: kind })
      },
      times: { retryMs: 1, longestRetryMs: 4, idleMs: 0 },
    })
  listen(failing('refused', 403))
  listen(failing('failed', 503))
  await expect.poll(() => attempts.failed).toBeGreaterThan(3)
  expect(attempts.refused).toBe(1)
})
