import { httpErrors } from './http-errors.ts'

/** Maximum nesting of a JSON body: `[[1]]` has two levels. */
const maxJsonDepth = 64
/** Maximum number of values in a JSON body: members of objects and items of lists. */
const maxJsonValues = 1_000_000
/**
 * Maximum number of object members in a JSON body. Objects with different member names are the slowest to parse:
 * 150,000 members take 0.2 s.
 */
const maxJsonMembers = 150_000

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const openingList = 0x5b
const closingList = 0x5d
const openingObject = 0x7b
const closingObject = 0x7d

/**
 * Rejects JSON that is nested too deeply or has too many values, in one pass over its bytes. Does not check whether the text
 * is valid JSON. Throws `jsonTooDeep` or `jsonTooManyValues`.
 */
export function requireShallowJson(json: Uint8Array): void {
  let depth = 0
  let values = 1
  let members = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (inString) {
      if (byte === backslash) at++
      else if (byte === quote) inString = false
      continue
    }
    switch (byte) {
      case quote:
        inString = true
        break
      case comma:
        values++
        break
      case colon:
        members++
        break
      case openingList:
      case openingObject:
        values++
        if (++depth > maxJsonDepth) throw httpErrors.jsonTooDeep({ maxLevels: maxJsonDepth })
        break
      case closingList:
      case closingObject:
        depth--
        break
    }
  }
  if (values > maxJsonValues || members > maxJsonMembers)
    throw httpErrors.jsonTooManyValues({ maxValues: maxJsonValues, maxMembers: maxJsonMembers })
}
