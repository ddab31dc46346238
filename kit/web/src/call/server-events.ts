/** An event of a stream of server-sent events. */
export interface ServerEvent {
  /** Name of the event. */
  type: string
  /** Data of the event. */
  data: string
}

/**
 * Reads a stream of server-sent events. For each part of the stream, yields its complete events and the id of the last
 * one.
 * @param onPart called for each part, including comments
 */
export async function* readServerEvents(
  stream: ReadableStream<Uint8Array>,
  onPart: () => void = () => undefined,
): AsyncGenerator<{ id: string | undefined; events: ServerEvent[] }> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onPart()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      const parsed = blocks.map(parseBlock)
      const id = parsed.findLast((block) => block.id !== undefined)?.id
      const events = parsed.flatMap(({ event }) => event ?? [])
      if (events.length > 0 || id !== undefined) yield { id, events }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Parses the lines of an event. Our server ends lines with `\n` only, and sends one line of data. */
function parseBlock(block: string): { id?: string; event?: ServerEvent } {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name !== '') fields[name] = value
  }
  const { id, event: type, data } = fields
  return {
    ...(id === undefined ? {} : { id }),
    ...(type === undefined || data === undefined ? {} : { event: { type, data } }),
  }
}
