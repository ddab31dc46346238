import { linesIn, utcDate } from '@headwater/contract'
import { listOf } from '@headwater/tasks/core'

/** Maximum number of items of a loop. */
const maxItems = 10_000
/** Maximum length of an item, in characters. */
const maxItemLength = 10_000
/** Maximum total length of the items of a loop, in characters. The items are stored with the run. */
const maxCharacters = 2_000_000
/** Maximum number of concurrent runs of a loop. */
export const maxParallel = 10
const dayMs = 24 * 60 * 60 * 1000
const datePattern = /^\d{4}-\d{2}-\d{2}$/
const invalidRange = 'Enter numbers such as 1 and 12, or dates such as 2026-01-01 and 2026-01-31.'

/** Inputs of a loop, which define its items and rules. */
export type LoopInputs = Readonly<Record<string, string>>

/** Returns an error message for invalid inputs that are known before a run. */
export function problemOfLoop(inputs: LoopInputs): string | undefined {
  const { each = '', items, from, to, step = '', parallel } = inputs
  if (parallel !== undefined && typeof parallelOf(parallel) === 'string')
    return parallelOf(parallel) as string
  if (each === 'range' && from !== undefined && to !== undefined) {
    const range = rangeOf(from, to, step)
    return typeof range === 'string' ? range : undefined
  }
  if (each === '' || each === 'list') {
    const list = items === undefined ? [] : checked(listOf(items))
    return typeof list === 'string' ? list : undefined
  }
  return undefined
}

/** Returns the items of a list, the lines of a text, or the numbers or dates in a range; an error message if they are invalid. */
export function itemsOf({
  each = '',
  items = '',
  from = '',
  to = '',
  step = '',
}: LoopInputs): string[] | string {
  if (each === 'range') return rangeOf(from, to, step)
  return checked(each === 'lines' ? linesIn(items) : listOf(items))
}

/** Returns the non-empty lines of a file; an error message if there are too many. */
export async function linesOfFile(stream: AsyncIterable<Buffer>): Promise<string[] | string> {
  const decoder = new TextDecoder()
  const lines: string[] = []
  let rest = ''
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true })
    const complete = rest.split(/\r?\n/)
    rest = complete.pop()!
    // A call can have only a limited number of arguments, so the lines of a large chunk are added one by one.
    for (const line of linesIn(complete.join('\n'))) lines.push(line)
    // A file can have any size; reading stops when its items exceed a limit.
    if (lines.length > maxItems || rest.length > maxItemLength || lengthOf(lines) > maxCharacters)
      return checked([...lines, rest])
  }
  return checked([...lines, ...linesIn(rest + decoder.decode())])
}

/** Returns the number of concurrent runs, 1 to 10; an error message if it is invalid. */
export function parallelOf(text = ''): number | string {
  const count = text.trim() === '' ? 1 : Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= maxParallel) return count
  return `\`parallel\` must be a whole number from 1 to ${maxParallel}.`
}

function checked(items: string[]): string[] | string {
  if (items.length > maxItems)
    return `A loop can have at most ${maxItems.toLocaleString('en')} items. Split them into several loops.`
  const long = items.findIndex((item) => item.length > maxItemLength)
  if (long >= 0)
    return `Item ${long + 1} has more than ${maxItemLength.toLocaleString('en')} characters. Put large values into files.`
  if (lengthOf(items) > maxCharacters)
    return `The items have more than ${maxCharacters.toLocaleString('en')} characters in total. Put large values into files.`
  return items
}

function lengthOf(items: readonly string[]): number {
  return items.reduce((sum, { length }) => sum + length, 0)
}

/** Returns the numbers or dates in a range, including both ends. */
function rangeOf(from: string, to: string, stepText: string): string[] | string {
  const [first, last] = [from.trim(), to.trim()]
  const step = stepText.trim() === '' ? 1 : Number(stepText)
  const isDates = datePattern.test(first) && datePattern.test(last)
  const [start, end] = isDates ? [Date.parse(first), Date.parse(last)] : [numberOf(first), numberOf(last)]
  if (!Number.isFinite(start) || !Number.isFinite(end)) return invalidRange
  if (!Number.isFinite(step) || step === 0 || (isDates && !Number.isInteger(step)))
    return '`step` must be a number other than 0; for dates, a whole number of days.'
  const width = isDates ? step * dayMs : step
  // Fractions such as 0.1 are not exact. Without the tolerance, the last number of the range 0 to 0.3 would be missing.
  const count = Math.floor((end - start) / width + 1e-9) + 1
  if (count < 1) return `The range from ${first} to ${last} has no items with the step ${step}.`
  if (count > maxItems)
    return `The range has ${count.toLocaleString('en')} items; at most ${maxItems.toLocaleString('en')} are allowed.`
  return Array.from({ length: count }, (_, index) => {
    const value = start + index * width
    return isDates ? utcDate(value) : String(Number(value.toPrecision(12)))
  })
}

function numberOf(text: string): number {
  return text === '' ? Number.NaN : Number(text)
}
