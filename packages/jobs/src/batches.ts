/**
 * Returns a function that sends items in batches. While no batch is in flight, it sends all items of the current event loop
 * turn together. Otherwise it collects items until the batch in flight has finished. Without waiting for the end of the
 * turn, the work that continues after a batch would always produce one batch with a single item and one with all others.
 * @param send sends up to `limit` items and returns one result for each; if it fails for several items, they are sent one by
 * one
 */
export function createBatches<Item, Result>(
  limit: number,
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item
    settle: PromiseWithResolvers<Result>
  }
  const waiting: Waiting[] = []
  let isSending = false

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, limit)
      try {
        const results = await send(batch.map(({ item }) => item))
        batch.forEach(({ settle }, index) => settle.resolve(results[index] as Result))
      } catch (error) {
        if (batch.length === 1) batch[0]!.settle.reject(error)
        else for (const lone of batch) await sendAlone(lone)
      }
    }
    isSending = false
  }

  /** Sends an item again after its batch failed, because another item can have caused the error. */
  async function sendAlone({ item, settle }: Waiting): Promise<void> {
    try {
      const [result] = await send([item])
      settle.resolve(result as Result)
    } catch (error) {
      settle.reject(error)
    }
  }

  return (item) => {
    const settle = Promise.withResolvers<Result>()
    waiting.push({ item, settle })
    if (!isSending) {
      isSending = true
      setImmediate(() => void sendAll())
    }
    return settle.promise
  }
}
