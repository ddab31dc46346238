import { invalidInput } from '@headwater/contract'
import { type InsightContent } from '@headwater/tile-data/contract'
import { insightErrors, isTooDeep } from '../contract/index.ts'
import { maxDefinitionBytes } from './insight-files.ts'

/** Checks that tile ids and titles are unique and that the definition is not nested too deeply. */
export function checkContent(content: InsightContent): void {
  if (isTooDeep(content))
    throw invalidInput([{ field: 'content', message: 'The definition is nested too deeply.' }])
  for (const key of ['id', 'title'] as const) {
    const seen = new Set<string>()
    content.tiles.forEach((tile, index) => {
      if (seen.has(tile[key]))
        throw invalidInput([
          {
            field: `content.tiles[${index}].${key}`,
            message: `Another tile already has the ${key} “${tile[key].slice(0, 100)}”.`,
          },
        ])
      seen.add(tile[key])
    })
  }
}

/** Returns the text of the definition of an insight or template; throws insightTooLarge above the maximum length. */
export function definitionText(definition: object): string {
  const text = JSON.stringify(definition)
  if (Buffer.byteLength(text) > maxDefinitionBytes)
    throw insightErrors.insightTooLarge({ limitBytes: maxDefinitionBytes })
  return text
}
