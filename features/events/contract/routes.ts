import { defineRoute } from '@headwater/contract'

/**
 * Kinds of events: a job has a new status, its log has new lines, or (`reset`) events were missed and every job may have
 * changed.
 */
export const eventTypes = ['status', 'log', 'reset'] as const
/** A kind of event. */
export type EventType = (typeof eventTypes)[number]

/** Route `GET /events`. */
export const streamEvents = defineRoute({
  name: 'streamEvents',
  method: 'GET',
  path: '/events',
  summary:
    'Server-sent events about the jobs that the caller can see: `status` and `log` with `{"jobId": …}`. After `reset`, reload everything. Send the header Last-Event-ID to resume.',
  permission: { resource: 'Statuses', mode: 'R' },
  errors: ['tooManyStreams'],
})
