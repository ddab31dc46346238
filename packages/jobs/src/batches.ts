/**
 * Returns a function that passes items on in batches: an item is sent at once while nothing is on its way, and otherwise with all
 * items that arrive until then. So a lone item never waits, and many share a round trip.
 * @param send sends up to `limit` items and returns one result for each; its error rejects all of them
 */
export function createBatches<Item, Result>(
  limit: number,
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: { item: Item; settle: PromiseWithResolvers<Result> }[] = []
  let isSending = false

  async function sendAll(): Promise<void> {
    isSending = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, limit)
      try {
        const results = await send(batch.map(({ item }) => item))
        batch.forEach(({ settle }, index) => settle.resolve(results[index] as Result))
      } catch (error) {
        for (const { settle } of batch) settle.reject(error)
      }
    }
    isSending = false
  }

  return (item) => {
    const settle = Promise.withResolvers<Result>()
    waiting.push({ item, settle })
    if (!isSending) void sendAll()
    return settle.promise
  }
}
