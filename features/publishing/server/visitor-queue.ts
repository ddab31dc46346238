import { createFairQueue, networkOf, type Slot } from '@headwater/server-kit'
import { publishingErrors } from '../contract/index.ts'

/** Limits concurrent queries of visitors, so that neither one address nor one public insight delays all visitors. */
export interface VisitorQueue {
  /**
   * Waits until a query can run.
   * @throws tooManyRequests if too many queries of the address wait; publicViewsBusy if too many of all visitors wait; the
   *   reason of the signal if it aborts
   */
  take(query: { address: string; insightId: string; signal: AbortSignal }): Promise<Slot>
}

/** Concurrent queries of all visitors. Users with an account have their own queue. */
const maxConcurrent = 4
/** Concurrent queries of one public insight. */
const perInsight = 3
/** Concurrent queries of one address. */
const perAddress = 2
/** Many visitors can share one address. */
const waitingPerAddress = 200
const waitingInAll = 1000
const releaseAfterMs = 30_000
const retrySeconds = 10

const tooMany = {
  waiting: waitingInAll,
  error: () => publishingErrors.publicViewsBusy({ waitSeconds: retrySeconds }),
}

/** Creates the queue of one server; several servers count separately. */
export function createVisitorQueue(): VisitorQueue {
  // Queries first wait for their address, so at most two of each address wait for a public insight.
  const addresses = createFairQueue({
    concurrency: Infinity,
    perOwner: perAddress,
    releaseAfterMs,
    tooMany,
    tooManyOfOwner: {
      waiting: waitingPerAddress,
      error: () => publishingErrors.tooManyRequests({ waitSeconds: retrySeconds }),
    },
  })
  const insights = createFairQueue({
    concurrency: maxConcurrent,
    perOwner: perInsight,
    releaseAfterMs,
    abortAfterMs: 60_000,
    tooMany,
  })
  return {
    async take({ address, insightId, signal }) {
      const ofAddress = await addresses.take({ owner: networkOf(address), signal })
      try {
        const ofInsight = await insights.take({ owner: insightId, signal })
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
