/** Error in a JSON file, with a message for users. */
export class JsonError extends Error {}

/** Maximum length of an object, in characters. */
const maxObjectLength = 10_000_000

/**
 * Yields the objects of a JSON array or of a sequence of objects (such as JSON Lines) as they arrive.
 * @throws JsonError for other contents
 */
export async function* jsonObjects(
  stream: AsyncIterable<Uint8Array>,
): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder()
  let rest = ''
  let depth = 0
  let inText = false
  let isEscaped = false
  let count = 0
  for await (const chunk of stream) {
    const objects: Record<string, unknown>[] = []
    const text = rest + decoder.decode(chunk, { stream: true })
    let start = depth === 0 ? -1 : 0
    for (let at = rest.length; at < text.length; at++) {
      const letter = text[at]!
      if (inText) {
        if (isEscaped) isEscaped = false
        else if (letter === '\\') isEscaped = true
        else if (letter === '"') inText = false
      } else if (depth === 0) {
        if (letter === '{') [start, depth] = [at, 1]
        else if (!/[\s,[\]\uFEFF]/.test(letter))
          throw new JsonError(
            `After object ${count} there is “${letter}”. The file must be an array of objects, or one object per line.`,
          )
      } else if (letter === '"') inText = true
      else if (letter === '{' || letter === '[') depth++
      else if ((letter === '}' || letter === ']') && --depth === 0) {
        count++
        objects.push(parsed(text.slice(start, at + 1), count))
        start = -1
      }
    }
    rest = start < 0 ? '' : text.slice(start)
    if (rest.length > maxObjectLength)
      throw new JsonError(
        `Object ${count + 1} has more than ${maxObjectLength.toLocaleString('en')} characters.`,
      )
    yield* objects
  }
  if (depth > 0) throw new JsonError(`The file ends within object ${count + 1}.`)
}

function parsed(text: string, number: number): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    throw new JsonError(`Object ${number} is not valid JSON.`)
  }
}
