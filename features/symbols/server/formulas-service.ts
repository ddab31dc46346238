import { invalidInput, type AppError } from '@headwater/contract'
import { groupErrors } from '@headwater/groups/contract'
import type { GroupAccess } from '@headwater/groups/server'
import { isRefusal, type Clock, type Executor, type Log, type Principal } from '@headwater/server-kit'
import { parseExpression } from '@headwater/formula'
import { SeriesEngineError, type SeriesEngine } from '@headwater/timeseries'
import {
  formulaErrors,
  maxFormulaDepth,
  maxGroupFormulas,
  symbolErrors,
  type Formula,
  type FormulaBody,
  type FormulaInput,
  type SymbolItem,
  type SymbolMap,
} from '../contract/index.ts'
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
  /** Creates the stores on a transaction, so that a waiting transaction needs no second connection. */
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

/** The service of formulas. */
export type FormulasService = ReturnType<typeof createFormulasService>

type Definition = Pick<FormulaBody, 'expression' | 'inputs' | 'join'>

/** Creates the service that saves and previews formulas. */
export function createFormulasService(dependencies: FormulasDependencies) {
  const { store, data, readingOn, symbols, ledger, access, engine, clock, log } = dependencies
  const everything = viewOf(data)

  /** Validates the expression and inputs, and returns the inputs in stored form. */
  async function checkDefinition(
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
      const groupId = await readableGroup(principal, groupName, `inputs[${index}].groupName`)
      stored.push({ name, groupId, digest: symbolDigest(keys).toString('hex'), keys, column })
    }
    const inputSeries = await findInputs(stored, everything)
    const missing = inputSeries.indexOf(undefined)
    if (missing >= 0) throw await missingInput(inputs[missing]!, stored[missing]!, missing)
    for (const [index, input] of inputSeries.entries())
      if (input!.series.isFormula && !(await isReadableBelow(principal, input!.series.id)))
        throw refuse(
          `inputs[${index}].symbols`,
          `${textOf(stored[index]!.keys)} is a formula that uses a group you cannot read.`,
        )
    return stored
  }

  /** Returns whether a user can read all direct and indirect inputs of a formula. */
  async function isReadableBelow(principal: Principal, symbolId: number): Promise<boolean> {
    const scope = await access.scope(principal)
    if (scope.groupIds === 'all') return true
    let ids = [symbolId]
    for (let depth = 0; depth < maxFormulaDepth && ids.length > 0; depth++) {
      const inputs = (await store.byIds(ids)).flatMap((formula) => formula.inputs)
      if (inputs.some(({ groupId }) => !scope.has(groupId))) return false
      const inputSeries = await findInputs(inputs, everything)
      ids = [...new Set(inputSeries.flatMap((input) => (input?.series.isFormula ? [input.series.id] : [])))]
    }
    return true
  }

  async function readableGroup(principal: Principal, groupName: string, field: string): Promise<number> {
    try {
      return (await access.getGroup(principal, groupName, 'R')).id
    } catch (error) {
      if (isRefusal(error)) throw refuse(field, error.message)
      throw error
    }
  }

  async function missingInput(
    { groupName, column }: FormulaInput,
    { groupId, digest, keys }: StoredInput,
    index: number,
  ): Promise<AppError> {
    const [series] = await everything.byDigest(groupId, [Buffer.from(digest, 'hex')])
    if (series === undefined)
      return refuse(`inputs[${index}].symbols`, `The group “${groupName}” has no symbol ${textOf(keys)}.`)
    const columns = (await everything.columns([groupId])).filter(({ id }) => series.columnIds.includes(id))
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

  async function item(groupId: number, keys: SymbolMap): Promise<SymbolItem> {
    const [symbol] = await symbols.byDigest(groupId, [symbolDigest(keys)])
    return toItem(symbol!)
  }

  async function findOwn(groupId: number, groupName: string, keys: SymbolMap): Promise<StoredSeries> {
    const [own] = await everything.byDigest(groupId, [symbolDigest(keys)])
    if (own?.isFormula) return own
    throw formulaErrors.formulaNotFound({ groupName, symbol: textOf(keys) })
  }

  return {
    /** Creates a formula. */
    async create(principal: Principal, body: FormulaBody): Promise<SymbolItem> {
      const { groupName, symbols: keys, column, expression, join } = body
      const { id: groupId } = await access.getGroup(principal, groupName, 'RW')
      const inputs = await checkDefinition(principal, body)
      const digest = symbolDigest(keys)
      await ledger.transaction(async (executor) => {
        await store.lockSaving(executor)
        if (!(await ledger.lockGroup(executor, groupId))) throw groupErrors.groupNotFound({ name: groupName })
        if ((await store.countIn(executor, groupId)) >= maxGroupFormulas)
          throw formulaErrors.tooManyFormulas({ limit: maxGroupFormulas })
        const taken = await store.takeColumn(executor, groupId, column)
        if (taken.wrongType !== undefined) throw wrongColumn(groupName, column, taken.wrongType)
        const record = { expression, join, inputs, userId: principal.userId, at: clock.now() }
        const isNew = await store.create(executor, { groupId, digest, keys, columnId: taken.id }, record)
        if (!isNew) throw formulaErrors.symbolExists({ groupName, symbol: textOf(keys) })
        await checkDepth(readingOn(executor), { groupId, digest: digest.toString('hex') }, inputs)
      })
      log.info({ userId: principal.userId, groupId }, 'a user created a formula')
      return item(groupId, keys)
    },

    /** Changes a formula. */
    async change(principal: Principal, body: FormulaBody): Promise<SymbolItem> {
      const { groupName, symbols: keys, column, expression, join } = body
      const { id: groupId } = await access.getGroup(principal, groupName, 'RW')
      const { id } = await findOwn(groupId, groupName, keys)
      const inputs = await checkDefinition(principal, body)
      const digest = symbolDigest(keys).toString('hex')
      await ledger.transaction(async (executor) => {
        await store.lockSaving(executor)
        if (!(await ledger.lockGroup(executor, groupId))) throw groupErrors.groupNotFound({ name: groupName })
        await checkDepth(readingOn(executor), { groupId, digest }, inputs)
        const taken = await store.takeColumn(executor, groupId, column)
        if (taken.wrongType !== undefined) throw wrongColumn(groupName, column, taken.wrongType)
        const record = { expression, join, inputs, userId: principal.userId, at: clock.now() }
        if (!(await store.change(executor, { id, groupId, columnId: taken.id }, record)))
          throw formulaErrors.formulaNotFound({ groupName, symbol: textOf(keys) })
      })
      log.info({ userId: principal.userId, groupId }, 'a user changed a formula')
      return item(groupId, keys)
    },

    /** Returns a formula with the inputs that the caller can read. */
    async find(
      principal: Principal,
      { groupName, symbols: keys }: { groupName: string; symbols: SymbolMap },
    ): Promise<Formula> {
      const { id: groupId } = await access.getGroup(principal, groupName, 'R')
      const { id } = await findOwn(groupId, groupName, keys)
      const [stored] = await store.byIds([id])
      if (stored === undefined) throw formulaErrors.formulaNotFound({ groupName, symbol: textOf(keys) })
      const groupIds = stored.inputs.map((input) => input.groupId)
      const [scope, names, inputSeries] = await Promise.all([
        access.scope(principal),
        store.groupNames(groupIds),
        findInputs(stored.inputs, everything),
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
          const state = inputSeries[index] === undefined ? ('MISSING' as const) : ('READY' as const)
          return {
            name,
            state,
            ...(ofGroup === undefined ? {} : { groupName: ofGroup }),
            symbols: own,
            column,
          }
        }),
      }
    },

    /** Returns the newest values of an unsaved formula. */
    async preview(
      principal: Principal,
      body: Definition & { size: number },
      signal: AbortSignal,
    ): Promise<{ timestamps: number[]; values: number[] }> {
      const inputs = await checkDefinition(principal, body)
      await checkDepth({ store, data }, undefined, inputs)
      const scope = await access.scope(principal)
      // 0 is not the id of any symbol.
      const draft = { symbolId: 0, expression: body.expression, join: body.join, inputs }
      const formula = (await computeAll(store, [draft], { ...everything, scope })).get(draft.symbolId)
      if (formula === undefined) return { timestamps: [], values: [] }
      try {
        const result = await engine.query(
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
        if (!(error instanceof SeriesEngineError)) throw error
        if (error.code === 'unavailable' || error.code === 'locked') throw symbolErrors.seriesUnavailable()
        if (error.code === 'failed') throw error
        throw symbolErrors.questionRefused({ message: error.message })
      }
    },
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
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
