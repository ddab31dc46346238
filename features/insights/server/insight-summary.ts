import { formatUtcSeconds } from '@headwater/server-kit'
import { decodeTags, type InsightSummary } from '../contract/index.ts'
import { typeOf } from './insight-access.ts'
import { insightNameOf } from './insight-items.ts'
import type { StoredInsight } from './insights-read-model.ts'

/** Returns whether visitors can see an insight at a given time. */
export function isPublic({ publicUntil }: Pick<StoredInsight, 'publicUntil'>, now: Date): boolean {
  return publicUntil === null || (publicUntil !== undefined && publicUntil > now)
}

/** Returns the name of an insight: the name of its file without `.json`. */
export function nameOf({ fileName }: Pick<StoredInsight, 'fileName'>): string {
  return insightNameOf(fileName)
}

/** Converts a stored insight to its form in responses. `now` determines whether its public view has ended. */
export function toSummary(stored: StoredInsight, writeAccess: boolean, now: Date): InsightSummary {
  const fields = Object.entries(stored.fields).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : value.join(', '),
  }))
  const valueOf = (name: string) => fields.find((field) => field.name === name)?.value
  const type = typeOf(stored)
  return {
    id: stored.id,
    fid: stored.fid,
    insightName: nameOf(stored),
    fileName: stored.fileName,
    fileType: 'INSIGHT',
    groupName: stored.groupName,
    fields,
    description: valueOf('description') ?? '',
    tags: decodeTags(valueOf('tags')),
    type,
    isWorkflow: type === 'WORKFLOW',
    owner: stored.owner,
    modified: formatUtcSeconds(stored.modifiedAt),
    writeAccess,
    isPublic: isPublic(stored, now),
    publicExpirationDate: stored.publicUntil ? formatUtcSeconds(stored.publicUntil) : null,
    isShared: stored.isShared,
  }
}
