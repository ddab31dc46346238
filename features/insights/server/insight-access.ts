import { isUuid } from '@headwater/contract'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { AccessibleGroup, Groups } from '@headwater/groups/server'
import { isWorkflow, type InsightContent } from '@headwater/tile-data/contract'
import { insightErrors, type InsightType } from '../contract/index.ts'
import type { InsightFiles } from './insight-files.ts'
import type { InsightItems } from './insight-items.ts'
import type { StoredInsight } from './insights-read-model.ts'

/** An insight to which the user has the requested access. */
export interface AccessibleInsight {
  /** The group of the insight, with the access of the user. */
  group: AccessibleGroup
  /** The latest version of the insight. */
  stored: StoredInsight
}

/** Group and name of an insight. */
export interface InsightNames {
  /** Name of the group. */
  groupName: string
  /** Name of the insight, without `.json`. */
  insightName: string
}

/** Reads insights after checking the access to their group and their kind. */
export interface InsightAccess {
  /** Returns an insight that the user can read. Throws groupNotFound or insightNotFound. */
  toRead(principal: Principal, names: InsightNames): Promise<AccessibleInsight>
  /** Returns the group and name of an insight that the user can read. Throws insightGone. */
  namesOf(principal: Principal, id: string): Promise<InsightNames>
  /**
   * Returns an insight that the user can change, which requires write access to its group and permission to edit its
   * kind. Throws groupNotFound, groupForbidden, insightNotFound or insightNotEditable.
   */
  toEdit(principal: Principal, names: InsightNames): Promise<AccessibleInsight>
  /** Returns an insight that the user can share, which requires permission to share its group. */
  toShare(principal: Principal, names: InsightNames): Promise<AccessibleInsight>
}

/** Creates the access to insights. */
export function createInsightAccess({
  groups,
  insights,
  insightFiles,
}: {
  groups: Pick<Groups, 'access'>
  insights: Pick<InsightItems['insights'], 'find'>
  insightFiles: InsightFiles
}): InsightAccess {
  async function find(
    principal: Principal,
    { groupName, insightName }: InsightNames,
    mode: 'R' | 'RW' | 'RWS',
  ): Promise<AccessibleInsight> {
    const group = await groups.access.getGroup(principal, groupName, mode)
    const stored = await insightFiles.find(group, insightName)
    if (mode !== 'R') requireEdit(principal, typeOf(stored))
    return { group, stored }
  }
  return {
    toRead: (principal, names) => find(principal, names, 'R'),
    async namesOf(principal, id) {
      const item = isUuid(id) ? await insights.find({ id }) : undefined
      const group = item && (await unlessRefused(groups.access.getGroupById(principal, item.groupId, 'R')))
      if (item === undefined || group === undefined) throw insightErrors.insightGone()
      return { groupName: group.name, insightName: item.name }
    },
    toEdit: (principal, names) => find(principal, names, 'RW'),
    toShare: (principal, names) => find(principal, names, 'RWS'),
  }
}

const areas: Record<InsightType, { resource: string; kind: 'visualisations' | 'workflows' }> = {
  VISUALISATION: { resource: 'Insight/Visualisations', kind: 'visualisations' },
  WORKFLOW: { resource: 'Insight/Workflows', kind: 'workflows' },
}

/** Returns the kinds of insights that a user can see. */
export function readableTypes(principal: Principal): InsightType[] {
  return (['VISUALISATION', 'WORKFLOW'] as const).filter((type) => principal.can(areas[type].resource, 'R'))
}

/** Returns whether a user has permission to change insights of a kind. */
export function canEdit(principal: Principal, type: InsightType): boolean {
  return principal.can(areas[type].resource, 'RW')
}

/** Throws if a user has no permission to change insights of a kind. */
export function requireEdit(principal: Principal, type: InsightType): void {
  if (!canEdit(principal, type)) throw insightErrors.insightNotEditable({ kind: areas[type].kind })
}

/** Returns the kind of a stored insight. */
export function typeOf({ fields }: Pick<StoredInsight, 'fields'>): InsightType {
  return fields.insight_type === 'WORKFLOW' ? 'WORKFLOW' : 'VISUALISATION'
}

/** Returns the kind of an insight with this content. */
export function typeOfContent(content: InsightContent): InsightType {
  return isWorkflow(content) ? 'WORKFLOW' : 'VISUALISATION'
}
