import { abortedByClose, type RouteContext, type FairQueue } from '@headwater/server-kit'

/** Context of a request of a signed-in user. */
export type CallerContext = Pick<RouteContext<'signed-in'>, 'principal' | 'reply'>

/**
 * Runs work for a caller once the query queue gives them a slot. The slot ends when the response is complete or the caller
 * disconnects. A disconnect also aborts the signal; later errors are not reported.
 * @param limits.cost estimated cost, about the number of series that it reads
 */
export async function runQueued<Result>(
  { principal, reply }: CallerContext,
  { queryQueue, cost }: { queryQueue: FairQueue; cost: number },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal } = abortedByClose(reply.raw)
  try {
    const slot = await queryQueue.take({ owner: principal.userId, cost, signal })
    return await work(slot.signal)
  } catch (error) {
    if (signal.aborted) reply.hijack()
    throw error
  }
}
