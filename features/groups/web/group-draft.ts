import type { Group } from '../contract/index.ts'
import type { GroupDraft } from './groups-client.ts'

/** Returns the values of the form for a group; empty for a new one. */
export function draftOf(group: Group | undefined): GroupDraft {
  return {
    name: group?.name ?? '',
    description: group?.description ?? '',
    fields: group?.fields ?? [],
    groupTags: group?.groupTags.map((tag) => tag.tagName) ?? [],
  }
}
