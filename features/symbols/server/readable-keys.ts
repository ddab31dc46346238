import { AppError, type AccessMode } from '@headwater/contract'
import { scopeWithin, type AccessibleGroup, type DataRange, type GroupAccess } from '@headwater/groups/server'
import { createTransferCheck, isRefusal, type Principal } from '@headwater/server-kit'
import { dataKey, symbolErrors, type DataKey, type DataQuery } from '../contract/index.ts'
import { checkVariants } from './engine-query.ts'
import { seriesVariant } from './series-variant.ts'
import type { GroupedKey } from './series-plan.ts'

const wholeGroup: DataKey = dataKey.parse({})

/** Returns the keys whose groups the caller can read. Throws if there are none. */
export async function readableKeys(
  access: GroupAccess,
  principal: Principal,
  query: DataQuery,
  { mode, withinRanges }: { mode: AccessMode; withinRanges: boolean },
): Promise<{ keys: GroupedKey[]; isPartial: boolean }> {
  const keys = keysOf(query)
  const variants = keys.map(({ key }, index) => seriesVariant(key, `keys[${index}]`))
  checkVariants(variants, query)
  const groups = new Map<string, ReadableGroup | AppError>()
  for (const { groupName } of keys) {
    if (groups.has(groupName)) continue
    const whole = await findGroup(access, principal, groupName, mode)
    const limited =
      withinRanges && whole instanceof AppError && (await findLimited(access, principal, groupName))
    // Throws, because a result without this group would look complete.
    if (!limited && whole instanceof AppError && whole.code === 'groupLimited') throw whole
    groups.set(groupName, limited || whole)
  }
  const readable = keys.flatMap(({ key, groupName }, index) => {
    const group = groups.get(groupName)
    if (group === undefined || group instanceof AppError) return []
    return [{ key, groupId: group.id, scope: group.scope, range: group.range, variant: variants[index]! }]
  })
  if (readable.length > 0) return { keys: readable, isPartial: readable.length < keys.length }
  throw [...groups.values()].find((group) => group instanceof AppError)!
}

/** A group with the part of its data that the caller can read. */
interface ReadableGroup extends Pick<AccessibleGroup, 'id' | 'scope'> {
  /** Range of the readable data; undefined for all data. */
  range?: DataRange
}

async function findLimited(
  access: GroupAccess,
  principal: Principal,
  name: string,
): Promise<ReadableGroup | undefined> {
  const group = await access.findLimited(principal, { name })
  if (group === undefined) return undefined
  const { id, range } = group
  return { id, scope: scopeWithin([group], { range }), range }
}

async function findGroup(
  access: GroupAccess,
  principal: Principal,
  name: string,
  mode: AccessMode,
): Promise<ReadableGroup | AppError> {
  try {
    const { id, scope } = await access.getGroup(principal, name, mode)
    return { id, scope }
  } catch (error) {
    if (isRefusal(error)) return error
    throw error
  }
}

/** The contents of a result, and the users who must be able to read it. */
export interface ReadData {
  /** Keys of the result, with the ranges of its data. */
  keys: readonly GroupedKey[]
  /** Groups with inputs of its formulas. */
  inputGroupIds: ReadonlySet<number>
  /** Returns the current state of the caller and of all other users who must be able to read the data; undefined for inactive accounts. */
  principals: () => Promise<readonly (Principal | undefined)[]>
}

/**
 * Yields a result while its readers can read the groups of its keys, within the same or wider ranges, and all data of
 * the groups of its formula inputs. Access to other groups is irrelevant.
 * @throws accessChanged, which ends the response
 */
export async function* whileReadable(
  stream: AsyncIterable<Uint8Array>,
  access: GroupAccess,
  data: ReadData,
  mode: AccessMode,
): AsyncGenerator<Uint8Array> {
  const checkBefore = createTransferCheck(async () => {
    if (!(await isReadable(access, data, mode))) throw symbolErrors.accessChanged()
  })
  for await (const chunk of stream) {
    await checkBefore(chunk)
    yield chunk
  }
}

/** Returns whether all readers can still read the data of a result. Only the caller, who is the first, reads ranges. */
async function isReadable(access: GroupAccess, data: ReadData, mode: AccessMode): Promise<boolean> {
  const [caller, ...others] = await data.principals()
  if (caller === undefined || others.includes(undefined)) return false
  const scope = await access.scope(caller, mode)
  const otherScopes = await Promise.all(others.map((each) => access.scope(each!, mode)))
  if (![...data.inputGroupIds].every((id) => [scope, ...otherScopes].every((each) => each.has(id))))
    return false
  const ranges = new Map(data.keys.map(({ groupId, range }) => [groupId, range]))
  for (const [id, range] of ranges) {
    if (!otherScopes.every((each) => each.has(id))) return false
    if (scope.has(id)) continue
    const now = range && (await access.findLimited(caller, { id }))
    if (now === undefined || !isWithin(range!, now.range)) return false
  }
  return true
}

function isWithin(inner: DataRange, { from, to }: DataRange): boolean {
  return (
    (from === null || (inner.from !== null && from <= inner.from)) &&
    (to === null || (inner.to !== null && to >= inner.to))
  )
}

function keysOf(query: DataQuery): { key: DataKey; groupName: string }[] {
  if (query.keys.length === 0) {
    if (query.groupName === undefined) throw symbolErrors.noKeys()
    return [{ key: wholeGroup, groupName: query.groupName }]
  }
  return query.keys.map((key, index) => {
    const groupName = key.groupName ?? query.groupName
    if (groupName === undefined) throw symbolErrors.keyWithoutGroup({ index })
    const star = key.pattern ? undefined : Object.entries(key.symbols).find(([, value]) => value === '*')
    if (star !== undefined) throw symbolErrors.patternWithoutFlag({ index, key: star[0] })
    return { key, groupName }
  })
}
