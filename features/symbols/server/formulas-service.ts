import { cutText, invalidInput, type AppError } from '@headwater/contract'
import { groupErrors } from '@headwater/groups/contract'
import type { GroupAccess } from '@headwater/groups/server'
import {
  isRefusal,
  type Bound,
  type Clock,
  type Executor,
  type Log,
  type Principal,
} from '@headwater/server-kit'
import { parseExpression } from '@headwater/formula'
import type { SeriesEngine } from '@headwater/timeseries'
import {
  formulaErrors,
  maxFormulaDepth,
  maxGroupFormulas,
  type Formula,
  type FormulaBody,
  type FormulaInput,
  type SymbolItem,
  type SymbolMap,
} from '../contract/index.ts'
import { toAppError } from './engine-app-error.ts'
import type { DataQueryStore, StoredSeries } from './data-query-store.ts'
import { computeAll, findInputs, type FormulaView } from './formula-resolver.ts'
import type { FormulasStore, StoredInput, SymbolReference } from './formulas-store.ts'
import type { IngestStore } from './ingest-store.ts'
import { symbolDigest } from './symbol-digest.ts'
import type { SymbolsStore } from './symbols-store.ts'
import { toItem } from './symbols-service.ts'

/** Dependencies of the formulas service. */
export interface FormulasDependencies {
  /** Stores formulas. */
  store: FormulasStore
  /** Reads series and columns. */
  data: SeriesReading
  /** Creates the stores on a transaction, so that a waiting transaction does not need a second connection. */
  readingOn: (executor: Executor) => { store: Pick<FormulasStore, 'byIds' | 'usersOf'>; data: SeriesReading }
  /** Reads symbols. */
  symbols: Pick<SymbolsStore, 'byDigest'>
  /** Runs transactions and locks groups. */
  ledger: Pick<IngestStore, 'transaction' | 'lockGroup'>
  /** Checks access to groups. */
  access: GroupAccess
  /** Computes previews. */
  engine: Pick<SeriesEngine, 'query'>
  /** Time of changes. */
  clock: Clock
  /** Log of changes. */
  log: Log
}

type SeriesReading = Pick<DataQueryStore, 'byDigest' | 'columns'>

/** Saves and previews formulas. */
export interface FormulasService {
  /** Creates a formula. */
  create: Bound<typeof create>
  /** Changes a formula. */
  change: Bound<typeof change>
  /** Returns a formula with the inputs that the caller can read. */
  find: Bound<typeof find>
  /** Returns the newest values of an unsaved formula. */
  preview: Bound<typeof preview>
}

interface FormulasContext extends FormulasDependencies {
  /** All data, regardless of access. */
  everything: Pick<FormulaView, 'byDigest' | 'columns'>
}

type Definition = Pick<FormulaBody, 'expression' | 'inputs' | 'join'>

/** Creates the service that saves and previews formulas. */
export function createFormulasService(dependencies: FormulasDependencies): FormulasService {
  const deps: FormulasContext = { ...dependencies, everything: viewOf(dependencies.data) }
  return {
    create: (...input) => create(deps, ...input),
    change: (...input) => change(deps, ...input),
    find: (...input) => find(deps, ...input),
    preview: (...input) => preview(deps, ...input),
  }
}

/** Validates the expression and inputs, and returns the inputs in stored form. */
async function checkDefinition(
  deps: FormulasContext,
  principal: Principal,
  { expression, inputs }: Definition,
): Promise<StoredInput[]> {
  const names = inputs.map(({ name }) => name)
  const twice = names.findIndex(
    (name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index,
  )
  if (twice >= 0) throw refuse(`inputs[${twice}].name`, `The name “${names[twice]}” is used twice.`)
  const { fault } = parseExpression(expression, names)
  if (fault !== undefined) throw refuse('expression', fault.message)
  const stored: StoredInput[] = []
  for (const [index, { name, groupName, symbols: keys, column }] of inputs.entries()) {
    const groupId = await readableGroup(deps, principal, groupName, `inputs[${index}].groupName`)
    stored.push({ name, groupId, digest: symbolDigest(keys).toString('hex'), keys, column })
  }
  const inputSeries = await findInputs(stored, deps.everything)
  const missing = inputSeries.indexOf(undefined)
  if (missing >= 0) throw await missingInput(deps, inputs[missing]!, stored[missing]!, missing)
  for (const [index, input] of inputSeries.entries())
    if (input!.series.isFormula && !(await isReadableBelow(deps, principal, input!.series.id)))
      throw refuse(
        `inputs[${index}].symbols`,
        `${textOf(stored[index]!.keys)} is a formula that uses a group you cannot read.`,
      )
  return stored
}

/** Returns whether a user can read all direct and indirect inputs of a formula. */
async function isReadableBelow(
  deps: FormulasContext,
  principal: Principal,
  symbolId: number,
): Promise<boolean> {
  const scope = await deps.access.scope(principal)
  if (scope.groupIds === 'all') return true
  let ids = [symbolId]
  for (let depth = 0; depth < maxFormulaDepth && ids.length > 0; depth++) {
    const inputs = (await deps.store.byIds(ids)).flatMap((formula) => formula.inputs)
    if (inputs.some(({ groupId }) => !scope.has(groupId))) return false
    const inputSeries = await findInputs(inputs, deps.everything)
    ids = [...new Set(inputSeries.flatMap((input) => (input?.series.isFormula ? [input.series.id] : [])))]
  }
  return true
}

async function readableGroup(
  deps: FormulasContext,
  principal: Principal,
  groupName: string,
  field: string,
): Promise<number> {
  try {
    return (await deps.access.getGroup(principal, groupName, 'R')).id
  } catch (error) {
    if (isRefusal(error)) throw refuse(field, error.message)
    throw error
  }
}

async function missingInput(
  deps: FormulasContext,
  { groupName, column }: FormulaInput,
  { groupId, digest, keys }: StoredInput,
  index: number,
): Promise<AppError> {
  const [series] = await deps.everything.byDigest(groupId, [Buffer.from(digest, 'hex')])
  if (series === undefined)
    return refuse(`inputs[${index}].symbols`, `The group “${groupName}” has no symbol ${textOf(keys)}.`)
  const columns = (await deps.everything.columns([groupId])).filter(({ id }) => series.columnIds.includes(id))
  const own = columns.find(({ name }) => name === column)
  if (own !== undefined)
    return refuse(
      `inputs[${index}].column`,
      `The column “${column}” has the type ${own.type}; formulas accept double and integer only.`,
    )
  const names = columns.map(({ name }) => `“${name}”`).join(', ')
  return refuse(
    `inputs[${index}].column`,
    `${textOf(keys)} has no column “${column}”.${names === '' ? '' : ` It has ${names}.`}`,
  )
}

async function item(deps: FormulasContext, groupId: number, keys: SymbolMap): Promise<SymbolItem> {
  const [symbol] = await deps.symbols.byDigest(groupId, [symbolDigest(keys)])
  return toItem(symbol!)
}

async function findOwn(
  deps: FormulasContext,
  groupId: number,
  groupName: string,
  keys: SymbolMap,
): Promise<StoredSeries> {
  const [own] = await deps.everything.byDigest(groupId, [symbolDigest(keys)])
  if (own?.isFormula) return own
  throw formulaErrors.formulaNotFound({ groupName, symbol: textOf(keys) })
}

/** Creates a formula. */
export async function create(
  deps: FormulasContext,
  principal: Principal,
  body: FormulaBody,
): Promise<SymbolItem> {
  const { groupName, symbols: keys, column, expression, join } = body
  const { id: groupId } = await deps.access.getGroup(principal, groupName, 'RW')
  const inputs = await checkDefinition(deps, principal, body)
  const digest = symbolDigest(keys)
  await deps.ledger.transaction(async (executor) => {
    await deps.store.lockSaving(executor)
    if (!(await deps.ledger.lockGroup(executor, groupId)))
      throw groupErrors.groupNotFound({ name: groupName })
    if ((await deps.store.countIn(executor, groupId)) >= maxGroupFormulas)
      throw formulaErrors.tooManyFormulas({ limit: maxGroupFormulas })
    const taken = await deps.store.takeColumn(executor, groupId, column)
    if (taken.wrongType !== undefined) throw wrongColumn(groupName, column, taken.wrongType)
    const record = { expression, join, inputs, userId: principal.userId, at: deps.clock.now() }
    const isNew = await deps.store.create(executor, { groupId, digest, keys, columnId: taken.id }, record)
    if (!isNew) throw formulaErrors.symbolExists({ groupName, symbol: textOf(keys) })
    await checkDepth(deps.readingOn(executor), { groupId, digest: digest.toString('hex') }, inputs)
  })
  deps.log.info({ userId: principal.userId, groupId }, 'a user created a formula')
  return item(deps, groupId, keys)
}

/** Changes a formula. */
export async function change(
  deps: FormulasContext,
  principal: Principal,
  body: FormulaBody,
): Promise<SymbolItem> {
  const { groupName, symbols: keys, column, expression, join } = body
  const { id: groupId } = await deps.access.getGroup(principal, groupName, 'RW')
  const { id } = await findOwn(deps, groupId, groupName, keys)
  const inputs = await checkDefinition(deps, principal, body)
  const digest = symbolDigest(keys).toString('hex')
  await deps.ledger.transaction(async (executor) => {
    await deps.store.lockSaving(executor)
    if (!(await deps.ledger.lockGroup(executor, groupId)))
      throw groupErrors.groupNotFound({ name: groupName })
    await checkDepth(deps.readingOn(executor), { groupId, digest }, inputs)
    const taken = await deps.store.takeColumn(executor, groupId, column)
    if (taken.wrongType !== undefined) throw wrongColumn(groupName, column, taken.wrongType)
    const record = { expression, join, inputs, userId: principal.userId, at: deps.clock.now() }
    if (!(await deps.store.change(executor, { id, groupId, columnId: taken.id }, record)))
      throw formulaErrors.formulaNotFound({ groupName, symbol: textOf(keys) })
  })
  deps.log.info({ userId: principal.userId, groupId }, 'a user changed a formula')
  return item(deps, groupId, keys)
}

/** Returns a formula with the inputs that the caller can read. */
export async function find(
  deps: FormulasContext,
  principal: Principal,
  { groupName, symbols: keys }: { groupName: string; symbols: SymbolMap },
): Promise<Formula> {
  const { id: groupId } = await deps.access.getGroup(principal, groupName, 'R')
  const { id } = await findOwn(deps, groupId, groupName, keys)
  const [stored] = await deps.store.byIds([id])
  if (stored === undefined) throw formulaErrors.formulaNotFound({ groupName, symbol: textOf(keys) })
  const groupIds = stored.inputs.map((input) => input.groupId)
  const [scope, names, inputSeries] = await Promise.all([
    deps.access.scope(principal),
    deps.store.groupNames(groupIds),
    findInputs(stored.inputs, deps.everything),
  ])
  return {
    groupName,
    symbols: keys,
    column: stored.column,
    expression: stored.expression,
    join: stored.join,
    inputs: stored.inputs.map(({ name, groupId: of, keys: own, column }, index) => {
      const ofGroup = names.get(of)
      if (ofGroup !== undefined && !scope.has(of)) return { name, state: 'FORBIDDEN' as const }
      const isMissing = ofGroup === undefined || inputSeries[index] === undefined
      const state = isMissing ? ('MISSING' as const) : ('READY' as const)
      return {
        name,
        state,
        ...(ofGroup === undefined ? {} : { groupName: ofGroup }),
        symbols: own,
        column,
      }
    }),
  }
}

/** Returns the newest values of an unsaved formula. */
export async function preview(
  deps: FormulasContext,
  principal: Principal,
  body: Definition & { size: number },
  signal: AbortSignal,
): Promise<{ timestamps: number[]; values: number[] }> {
  const inputs = await checkDefinition(deps, principal, body)
  await checkDepth({ store: deps.store, data: deps.data }, undefined, inputs)
  const scope = await deps.access.scope(principal)
  // 0 is not the id of any symbol.
  const draft = { symbolId: 0, expression: body.expression, join: body.join, inputs }
  const formula = (await computeAll(deps.store, [draft], { ...deps.everything, scope })).get(draft.symbolId)
  if (formula === undefined) return { timestamps: [], values: [] }
  try {
    const result = await deps.engine.query(
      {
        symbolKeys: [],
        selections: [
          {
            dataset: 1,
            series: [{ sid: 1, symbols: [] }],
            columns: [{ id: 1, name: 'Value', type: 'double' }],
            formula,
          },
        ],
        range: { kind: 'LAST', amount: body.size, unit: 'VALUES' },
        format: 'UI',
      },
      { signal },
    )
    const { values } = JSON.parse(await textOfStream(result.stream)) as {
      values: { timestamps: number[]; columns: { Value: number[] } }[]
    }
    return { timestamps: values[0]?.timestamps ?? [], values: values[0]?.columns.Value ?? [] }
  } catch (error) {
    throw toAppError(error)
  }
}

/** Returns all data, regardless of access. */
function viewOf(data: SeriesReading): Pick<FormulaView, 'byDigest' | 'columns'> {
  return {
    byDigest: (groupId, digests) => data.byDigest(groupId, digests, { conditions: [] }),
    columns: (groupIds) => data.columns(groupIds),
  }
}

/** Rejects inputs that depend on the formula itself, and formulas that are nested too deeply, including those that use this one. */
async function checkDepth(
  reading: ReturnType<FormulasDependencies['readingOn']>,
  own: SymbolReference | undefined,
  inputs: readonly StoredInput[],
): Promise<void> {
  const below = await depthBelow(reading, own, inputs)
  const above = own === undefined ? 0 : await depthAbove(reading.store, own)
  const depth = 1 + below + above
  if (depth <= maxFormulaDepth) return
  const users = above === 0 ? '' : ', counting those that use this one'
  throw refuse(
    'inputs',
    `Formulas would be nested ${depth} levels deep${users}; at most ${maxFormulaDepth} are allowed.`,
  )
}

/** Returns the nesting depth below these inputs. */
async function depthBelow(
  { store, data }: ReturnType<FormulasDependencies['readingOn']>,
  own: SymbolReference | undefined,
  inputs: readonly StoredInput[],
): Promise<number> {
  let level = inputs
  for (let depth = 0; depth <= maxFormulaDepth; depth++) {
    const back = own && level.find((input) => isSameSymbol(input, own))
    if (back)
      throw refuse(
        'inputs',
        depth === 0
          ? `${textOf(back.keys)} is the formula itself.`
          : `The formula would be computed from itself: it is an input of one of its inputs.`,
      )
    const inputSeries = await findInputs(level, viewOf(data))
    const ids = inputSeries.flatMap((input) => (input?.series.isFormula ? [input.series.id] : []))
    if (ids.length === 0) return depth
    level = (await store.byIds([...new Set(ids)])).flatMap((formula) => formula.inputs)
  }
  return maxFormulaDepth + 1
}

async function depthAbove(store: Pick<FormulasStore, 'usersOf'>, own: SymbolReference): Promise<number> {
  let users = await store.usersOf([own])
  let depth = 0
  for (; users.length > 0 && depth < maxFormulaDepth; depth++) users = await store.usersOf(users)
  return depth
}

async function textOfStream(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function wrongColumn(groupName: string, column: string, type: string): AppError {
  return refuse(
    'column',
    `The group “${groupName}” has a column “${column}” of the type ${type}; formulas return doubles. Choose another name.`,
  )
}

function isSameSymbol(a: SymbolReference, b: SymbolReference): boolean {
  return a.groupId === b.groupId && a.digest === b.digest
}

function refuse(field: string, message: string): AppError {
  return invalidInput([{ field, message }])
}

function textOf(keys: SymbolMap): string {
  const text = Object.entries(keys)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')
  return cutText(text, 200)
}
