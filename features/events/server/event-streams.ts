import { PassThrough } from 'node:stream'
import type { Authenticate, Clock, Principal } from '@headwater/server-kit'
import type { FastifyRequest } from 'fastify'
import { eventErrors, streamEvents, type EventType } from '../contract/index.ts'
import type { EventsStore, JobEvent } from './events-store.ts'

const pollMs = 250
const heartbeatMs = 15_000
const purgeMs = 60_000
/** Maximum age of a cursor. Older cursors may have missed events. */
const maxCursorAgeMs = 300_000
/** Interval at which the credentials of a caller are checked again, even without events. */
const recheckMs = 2000
/** The same for passwords, which are expensive to check. In between, only the account is checked. */
const passwordRecheckMs = 60_000
const maxStreamsPerUser = 20
/** Number of unread bytes above which a stream skips events and sends `reset` instead. */
const maxUnreadBytes = 64_000
/** Time after which a stream ends if its client does not read it. */
const maxUnreadMs = 30_000

/** Dependencies of the streams. */
export interface EventStreamsDependencies {
  /** Reads events. */
  store: EventsStore
  /**
   * Returns the groups that a caller can read; `all` for an administrator. A parameter, because the feature groups comes later
   * in the dependency order.
   */
  groups: { scope(principal: Principal): Promise<{ groupIds: readonly number[] | 'all' }> }
  /** Returns the principal of an active user. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Clock for the age of cursors. */
  clock: Clock
  /** Reports failed reads of events. */
  warn: (message: string, error: unknown) => void
}

interface Subscriber {
  /** The caller with the permissions of the last check. */
  principal: Principal
  hasPassword: boolean
  output: PassThrough
  /** Checks the credentials again; throws or returns undefined if they are no longer valid. */
  recheck: () => Promise<Principal | undefined>
  /** Time of the last check of the account. */
  checkedAtMs: number
  /** Time of the last check of the credentials. */
  credentialsCheckedAtMs: number
  /** Time since which the client has not read; undefined while it reads. */
  unreadSinceMs: number | undefined
  missed: boolean
  isBusy: boolean
}

/** The event streams of this server. All of them share one read of the events. */
export function createEventStreams({ store, groups, findPrincipal, clock, warn }: EventStreamsDependencies) {
  const subscribers = new Set<Subscriber>()
  let cursor: string | undefined
  let lastHeartbeatMs = 0
  let lastPurgeMs = 0
  let timer: NodeJS.Timeout | undefined
  let polling = Promise.resolve()
  let isClosed = false
  const nowMs = () => clock.now().getTime()

  function schedule(): void {
    if (isClosed) return
    timer = setTimeout(() => {
      polling = poll()
        .catch((error: unknown) => warn('The events could not be read. The server retries.', error))
        .finally(schedule)
    }, pollMs)
  }

  async function poll(): Promise<void> {
    if (nowMs() - lastPurgeMs >= purgeMs) {
      lastPurgeMs = nowMs()
      await store.purge()
    }
    if (subscribers.size === 0) {
      cursor = undefined
      return
    }
    if (cursor === undefined) return
    const batch = await store.since(cursor)
    cursor = batch.cursor
    const isHeartbeat = nowMs() - lastHeartbeatMs >= heartbeatMs
    if (isHeartbeat) lastHeartbeatMs = nowMs()
    const id = idOf(batch.cursor)
    for (const subscriber of subscribers) void deliver(subscriber, batch.events, id, isHeartbeat)
  }

  function idOf(position: string): string {
    return `${nowMs()}.${position}`
  }

  /** Sends the events that the caller can see now. A stream that is still busy receives `reset` later. */
  async function deliver(
    subscriber: Subscriber,
    events: readonly JobEvent[] | undefined,
    id: string,
    isHeartbeat: boolean,
  ): Promise<void> {
    const { output } = subscriber
    const hasEvents = events === undefined || events.length > 0
    if (!hasEvents && !isHeartbeat && !subscriber.missed && nowMs() - subscriber.checkedAtMs < recheckMs)
      return
    if (subscriber.isBusy) {
      subscriber.missed ||= hasEvents
      return
    }
    subscriber.isBusy = true
    try {
      if (!(await hasAccess(findPrincipal, subscriber, nowMs()))) return end(subscriber)
      const { principal } = subscriber
      const { groupIds } = await groups.scope(principal)
      if (output.destroyed) return
      if (output.readableLength + output.writableLength > maxUnreadBytes) {
        subscriber.missed ||= hasEvents
        subscriber.unreadSinceMs ??= nowMs()
        if (nowMs() - subscriber.unreadSinceMs > maxUnreadMs) output.destroy()
        return
      }
      subscriber.unreadSinceMs = undefined
      if (events === undefined || subscriber.missed) {
        subscriber.missed = false
        output.write(format('reset', {}) + `id: ${id}\n\n`)
        return
      }
      const visible = events.filter(
        ({ ownerId, groupId }) =>
          ownerId === principal.userId ||
          principal.isAdministrator ||
          groupIds === 'all' ||
          (groupId !== null && groupIds.includes(groupId)),
      )
      if (visible.length === 0 && !isHeartbeat) return
      // The id follows the last event, so that an interrupted batch is sent again.
      const texts = visible.map(({ type, jobId }) => format(type, { jobId }))
      output.write(`${texts.join('')}: \nid: ${id}\n\n`)
    } catch {
      end(subscriber)
    } finally {
      subscriber.isBusy = false
    }
  }

  function end(subscriber: Subscriber): void {
    subscribers.delete(subscriber)
    subscriber.output.end()
  }

  return {
    /** Opens a stream; throws `tooManyStreams`. */
    async open(
      principal: Principal,
      request: FastifyRequest,
      authenticate: Authenticate,
    ): Promise<PassThrough> {
      const { userId } = principal
      const own = [...subscribers].filter((each) => each.principal.userId === userId)
      if (own.length >= maxStreamsPerUser) throw eventErrors.tooManyStreams({ max: maxStreamsPerUser })
      const output = new PassThrough()
      const subscriber: Subscriber = {
        principal,
        hasPassword: principal.scheme === 'Basic',
        output,
        async recheck() {
          // An authenticator may cache its result per request.
          const present = await authenticate(Object.create(request) as FastifyRequest)
          return present?.userId === userId ? present : undefined
        },
        checkedAtMs: nowMs(),
        credentialsCheckedAtMs: nowMs(),
        unreadSinceMs: undefined,
        missed: false,
        isBusy: false,
      }
      subscribers.add(subscriber)
      output.once('close', () => subscribers.delete(subscriber))
      output.on('error', () => undefined)
      const header = request.headers['last-event-id']
      const [, sentAt = '', position = ''] =
        /^(\d{13})\.(\d+:\d+:[\d,]{0,4000})$/.exec(String(header ?? '')) ?? []
      const start = await store.now()
      cursor ??= start
      const isRecent = position !== '' && nowMs() - Number(sentAt) < maxCursorAgeMs
      const missed = isRecent ? await store.since(position).catch(() => undefined) : undefined
      output.write(`retry: 3000\nid: ${idOf(missed?.cursor ?? start)}\n\n`)
      if (header !== undefined) await deliver(subscriber, missed?.events, idOf(missed?.cursor ?? start), true)
      return output
    },
    /** Starts reading events. */
    start: schedule,
    /** Ends all streams. */
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await polling
      for (const subscriber of subscribers) end(subscriber)
    },
  }
}

/** Returns whether the caller still has access. Repeats the check if the last one is too old. */
async function hasAccess(
  findPrincipal: EventStreamsDependencies['findPrincipal'],
  subscriber: Subscriber,
  nowMs: number,
): Promise<boolean> {
  const { principal, hasPassword, checkedAtMs, credentialsCheckedAtMs } = subscriber
  if (nowMs - checkedAtMs < recheckMs) return true
  const isAccountOnly = hasPassword && nowMs - credentialsCheckedAtMs < passwordRecheckMs
  const present = await (isAccountOnly ? findPrincipal(principal.userId) : subscriber.recheck())
  const { resource, mode } = streamEvents.permission
  if (present === undefined || !present.can(resource, mode)) return false
  subscriber.principal = present
  if (!isAccountOnly) subscriber.credentialsCheckedAtMs = nowMs
  subscriber.checkedAtMs = nowMs
  return true
}

function format(type: EventType, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
