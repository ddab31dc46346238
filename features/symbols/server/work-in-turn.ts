import { abortedByClose, type RouteContext, type FairQueue } from '@headwater/server-kit'

/** A request of a signed-in user and its response. */
export type CallerContext = Pick<RouteContext<'signed-in'>, 'principal' | 'reply'>

/**
 * Runs work for a caller within a turn of theirs, which ends when the response is complete or the caller has disconnected. A
 * disconnect also aborts the signal; an error after it has nobody to be reported to.
 * @param limits.cost how much work it is: about as many series as it reads
 */
export async function workInTurn<Result>(
  { principal, reply }: CallerContext,
  { turns, cost }: { turns: FairQueue; cost: number },
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { signal } = abortedByClose(reply.raw)
  try {
    const turn = await turns.take({ taker: principal.userId, cost, signal })
    return await work(turn.signal)
  } catch (error) {
    if (signal.aborted) reply.hijack()
    throw error
  }
}
