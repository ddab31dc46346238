import { session } from '@headwater/accounts/web'
import { callRaw, createEventFeed, type EventFeed } from '@headwater/web-kit'
import { eventTypes, streamEvents, type EventType } from '../contract/index.ts'

/** An event about a job. `reset` means that every job may have changed, so it has no id. */
export interface JobEvent {
  /** Kind of event. */
  type: EventType
  /** Id of the job; undefined after `reset`. */
  jobId: string | undefined
}

let current: { userName: string; feed: EventFeed } | undefined

/**
 * Calls `listener` for each change of a job that the signed-in user can see. All tabs of the browser share one stream. Returns
 * a function that unsubscribes. Callers must also poll, because the stream can be unavailable.
 */
export function subscribeToJobs(listener: (event: JobEvent) => void): () => void {
  const state = session.state.get()
  if (state.phase !== 'signed-in') return () => undefined
  return feedOf(state.user.settings.userName).subscribe(({ type, data }) => {
    if (isEventType(type)) listener({ type, jobId: (JSON.parse(data) as { jobId?: string }).jobId })
  })
}

/** Returns the stream of a user. Tabs in which a different user is signed in have a separate stream. */
function feedOf(userName: string): EventFeed {
  if (current?.userName !== userName)
    current = { userName, feed: createEventFeed({ name: `headwater-events ${userName}`, open }) }
  return current.feed
}

function open(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
  const headers = {
    Accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
  }
  return callRaw(streamEvents, {}, { signal, headers, keep: true, direct: true, isOptional: true })
}

function isEventType(type: string): type is EventType {
  return (eventTypes as readonly string[]).includes(type)
}
