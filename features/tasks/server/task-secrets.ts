import type { Secrets } from '@headwater/secrets/server'
import { SecretFilter, type Redaction } from '@headwater/server-kit'
import type { NamedSecret, StepOutcome, StepWait } from '@headwater/runs/server'
import type { TaskKind, TestWork } from './task-kinds.ts'

/** Minimum length at which a single line of a secret is redacted on its own, in characters. */
const minLineLength = 16
/** Maximum total length of the secrets of one task, in characters. Searching for longer secrets would be slow. */
const maxCharacters = 32_768

/** Secrets that tasks of a user are currently using in this process. They are redacted in texts from scripts. */
export interface SecretsInUse {
  /** Redacts the secrets that tasks of a user are currently using. */
  hide(userId: number, text: string): string
  /** Adds secrets of a user until the returned function is called. */
  add(userId: number, values: readonly string[]): () => void
}

/** Creates an empty registry. */
export function createSecretsInUse(): SecretsInUse {
  const filters = new Map<number, Set<SecretFilter>>()
  return {
    hide(userId, text) {
      let hidden = text
      for (const filter of filters.get(userId) ?? []) hidden = filter.hide(hidden)
      return hidden
    },
    add(userId, values) {
      const filter = filterOf(values)
      const ofUser = filters.get(userId) ?? new Set()
      filters.set(userId, ofUser.add(filter))
      return () => {
        ofUser.delete(filter)
        if (ofUser.size === 0 && filters.get(userId) === ofUser) filters.delete(userId)
      }
    },
  }
}

/**
 * Wraps a kind so that it receives the values of secrets, which are read with the access of the user of the run. The secrets
 * are redacted in its messages and results.
 */
export function withSecrets(
  kind: TaskKind,
  { secrets, inUse }: { secrets: Pick<Secrets, 'reveal'>; inUse: SecretsInUse },
): TaskKind {
  const { test } = kind
  /** Executes work with the secrets of its inputs. */
  async function withValues<Work extends TestWork, Outcome extends StepOutcome | StepWait>(
    work: Work,
    execute: (work: Work, filter: SecretFilter) => Promise<Outcome>,
  ): Promise<Outcome | StepOutcome> {
    const values = await revealSecrets(secrets, work)
    if (typeof values === 'string') return { status: 'ERROR', message: values }
    const secretValues = Object.values(values)
    const filter = filterOf(secretValues)
    const release = inUse.add(work.principal.userId, secretValues)
    try {
      return redactOutcome(
        await execute({ ...work, inputs: { ...work.inputs, ...values }, secretValues }, filter),
        filter,
      )
    } catch (error) {
      // The message of an error becomes a status or a log line.
      if (error instanceof Error) hideInError(error, filter)
      throw error
    } finally {
      release()
    }
  }
  return {
    ...kind,
    run: async (work) =>
      hasSecrets(work)
        ? withValues(work, (full, filter) =>
            kind.run({ ...full, report: (message) => work.report(filter.hide(message)) }),
          )
        : kind.run(work),
    ...(test && {
      test: async (work, onLine) =>
        hasSecrets(work) ? withValues(work, (full) => test(full, onLine)) : test(work, onLine),
    }),
  }
}

function hasSecrets({ secretInputs = {} }: TestWork): boolean {
  return Object.keys(secretInputs).length > 0
}

/**
 * Returns the redactions for secrets: each whole secret and each of its long lines, for example of a key in PEM format.
 */
export function redactionsOf(values: readonly string[]): Redaction[] {
  return values.flatMap((value) => {
    const lines = value.split(/\r?\n/).filter((line) => line.length >= minLineLength)
    return [...new Set([value, ...lines])].map((secret) => ({ secret, placeholder: '[secret]' }))
  })
}

function filterOf(values: readonly string[]): SecretFilter {
  return new SecretFilter(redactionsOf(values))
}

/** Returns the values of the secrets by input, or the reason why one is missing. */
async function revealSecrets(
  secrets: Pick<Secrets, 'reveal'>,
  { principal, secretInputs = {} }: TestWork,
): Promise<Record<string, string> | string> {
  const values: Record<string, string> = {}
  for (const [input, secret] of Object.entries(secretInputs)) {
    const { name, groupName, userName, changedBy } = secret
    const isUsable = changedBy === undefined || changedBy === principal.userName
    const mode = changedBy === undefined ? 'R' : 'RW'
    const ofGroup =
      groupName === undefined || !isUsable
        ? undefined
        : await secrets.reveal(principal, name, groupName, mode)
    const own = ofGroup === undefined && userName === principal.userName
    const value = own ? await secrets.reveal(principal, name) : ofGroup
    if (value === undefined) return missingSecretMessage(input, secret)
    values[input] = value
  }
  const characters = Object.values(values).reduce((sum, { length }) => sum + length, 0)
  if (characters > maxCharacters)
    return `The secrets of this task have ${characters.toLocaleString('en')} characters in total; at most ${maxCharacters.toLocaleString('en')} are allowed. Use fewer or shorter secrets.`
  return values
}

function missingSecretMessage(input: string, { name, groupName, changedBy }: NamedSecret): string {
  if (changedBy !== undefined)
    return `“${input}” refers to a secret of the group “${groupName}”, and the pipeline or call changes other inputs of the task. Only users with write access to the group can use its secrets and change other inputs. Keep the task's own values, or use a personal secret.`
  const where = groupName === undefined ? 'among your own secrets' : `in the group “${groupName}”`
  return `“${input}” refers to the secret “${name}”, which does not exist ${where}, or which you cannot use. Store it, or choose another one.`
}

function hideInError(error: Error, filter: SecretFilter): void {
  error.message = filter.hide(error.message)
  if (error.stack !== undefined) error.stack = filter.hide(error.stack)
}

function redactOutcome<Outcome extends StepOutcome | StepWait>(
  outcome: Outcome,
  filter: SecretFilter,
): Outcome {
  if (outcome.status === 'WAIT') return { ...outcome, message: filter.hide(outcome.message) }
  const { message, printed, detail, outputs } = outcome
  return {
    ...outcome,
    message: filter.hide(message),
    ...(printed === undefined ? {} : { printed: filter.hide(printed) }),
    ...(detail === undefined ? {} : { detail: filter.hide(detail) }),
    ...(outputs === undefined
      ? {}
      : {
          outputs: Object.fromEntries(
            Object.entries(outputs).map(([name, value]) => [name, filter.hide(value)]),
          ),
        }),
  }
}
