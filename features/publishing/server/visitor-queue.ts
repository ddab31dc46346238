import { createFairQueue, networkOf, type Slot } from '@headwater/server-kit'
import { publishingErrors } from '../contract/index.ts'

/** Lets queries of visitors run a few at a time, so that neither one address nor one public insight delays all visitors. */
export interface VisitorQueue {
  /**
   * Waits until a query may run.
   * @throws tooManyRequests when too many queries of the address wait, publicViewsBusy when too many of all visitors do;
   *   the reason of the signal when it is aborted before
   */
  take(query: { address: string; insightId: string; signal: AbortSignal }): Promise<Slot>
}

/** Queries that run at once. Users with an account have turns of their own. */
const atOnce = 4
/** Of these, queries of one public insight. */
const perInsight = 3
/** Of these, queries of one address. */
const perAddress = 2
/** Pages of many visitors may share one address. */
const waitingPerAddress = 200
const waitingInAll = 1000
const longestMs = 30_000
const retrySeconds = 10

const tooMany = {
  waiting: waitingInAll,
  error: () => publishingErrors.publicViewsBusy({ waitSeconds: retrySeconds }),
}

/** Creates the queue of one server; several servers count separately. */
export function createVisitorQueue(): VisitorQueue {
  // An address waits for itself first, so at most two of its queries wait for a public insight.
  const addresses = createFairQueue({
    atOnce: Infinity,
    perTaker: perAddress,
    longestMs,
    tooMany,
    tooManyOfTaker: {
      waiting: waitingPerAddress,
      error: () => publishingErrors.tooManyRequests({ waitSeconds: retrySeconds }),
    },
  })
  const insights = createFairQueue({ atOnce, perTaker: perInsight, longestMs, limitMs: 60_000, tooMany })
  return {
    async take({ address, insightId, signal }) {
      const ofAddress = await addresses.take({ taker: networkOf(address), signal })
      try {
        const ofInsight = await insights.take({ taker: insightId, signal })
        return {
          signal: ofInsight.signal,
          end() {
            ofInsight.end()
            ofAddress.end()
          },
        }
      } catch (error) {
        ofAddress.end()
        throw error
      }
    },
  }
}
