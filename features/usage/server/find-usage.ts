import type { RouteInput, RouteOutput } from '@headwater/contract'
import type { ItemReference, Items } from '@headwater/items/server'
import type { GroupAccess } from '@headwater/groups/server'
import type { Principal } from '@headwater/server-kit'
import type { Symbols } from '@headwater/symbols/server'
import type { getUsage, UsageRow, UsedBy } from '../contract/index.ts'
import { findUsedObject, type UsedObjectDependencies } from './used-object.ts'

/** Dependencies of the search. */
export interface UsageDependencies extends UsedObjectDependencies {
  /** Checks access to groups. */
  groups: GroupAccess
  /** References between items. */
  items: Pick<Items, 'references' | 'find' | 'symbolTargets'>
  /** Formulas that use symbols, and symbols in files. */
  symbols: Pick<Symbols, 'formulasUsing' | 'symbolsInFiles'>
}

type UsageQuery = RouteInput<typeof getUsage>['query']

/**
 * Returns the objects that use an object: items by name, then formulas.
 * @throws groupNotFound, usedObjectNotFound, tooManyFiles
 */
export async function findUsage(
  deps: UsageDependencies,
  principal: Principal,
  query: UsageQuery,
): Promise<RouteOutput<typeof getUsage>> {
  const { from, size, type, outside } = query
  const object = await findUsedObject(deps, principal, query)
  const scope = await deps.groups.scope(principal)
  const exceptGroupId = type === 'GROUP' && outside ? object.groupId : undefined
  const references = await deps.items.references(object.links, {
    scope,
    kinds: readableKinds(principal),
    exceptGroupId,
    from,
    size,
  })
  const formulas =
    object.series === undefined
      ? noFormulas
      : await deps.symbols.formulasUsing(object.series, {
          scope,
          exceptGroupId,
          from: Math.max(0, from - references.total),
          size: Math.max(0, Math.min(size, from + size - references.total)),
        })
  const canReadFormulas = principal.can('Storage', 'R')
  return {
    pipelineAndTasks: references.items.flatMap(rowOf),
    others: [
      ...references.items.flatMap(entryOfItem),
      ...(canReadFormulas ? formulas.items.map(entryOfFormula) : []),
    ],
    from,
    totalSize: references.total + (canReadFormulas ? formulas.total : 0),
    hidden: references.hidden + formulas.hidden + (canReadFormulas ? 0 : formulas.total),
  }
}

const noFormulas = { items: [], total: 0, hidden: 0 }

/** Returns the kinds of items whose names a user can see. */
function readableKinds(principal: Principal): string[] {
  const insights = ['Insight/Visualisations', 'Insight/Workflows']
  return [
    ...(principal.can('Science', 'R') ? ['pipeline', 'task'] : []),
    ...(principal.can('Storage', 'R') ? ['data-prep'] : []),
    // An item does not contain its kind of insight.
    ...(insights.every((resource) => principal.can(resource, 'R')) ? ['insight'] : []),
    ...(principal.can('Templates', 'R') ? ['insight-template'] : []),
  ]
}

function rowOf({ id, kind, name, version, groupName, parts }: ItemReference): UsageRow[] {
  if (kind !== 'pipeline') return []
  const taskAndVersions = parts.map((part) => ({ readableName: part.name, version: part.version }))
  return [{ id, name, version, group: groupName, taskAndVersions }]
}

function entryOfItem({ id, kind, name, version, groupName }: ItemReference): UsedBy[] {
  return kind === 'pipeline' ? [] : [{ kind: kind as UsedBy['kind'], id, name, version, group: groupName }]
}

function entryOfFormula({
  symbolId,
  groupName,
  keys,
}: {
  symbolId: number
  groupName: string
  keys: Record<string, string>
}): UsedBy {
  const name = Object.entries(keys)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')
  return { kind: 'formula', id: String(symbolId), name, version: null, group: groupName }
}
