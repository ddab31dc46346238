import type { Readable } from 'node:stream'
import { sourceOf, type ByteSource } from '@headwater/tables'
import { fileName, type FieldPair } from '@headwater/files/contract'
import type { Files } from '@headwater/files/server'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import type { ParamCondition, TaskParam, ValueType } from '../../contract/index.ts'
import { parseObjectValue } from '../../core/index.ts'
import type { TaskKind } from '../task-kinds.ts'

/** File functions that the kinds in this library need. */
export type LibraryFiles = Pick<Files, 'abandon' | 'create' | 'getReadable' | 'putContent' | 'readContent'>

/** Properties that all kinds in this library share. */
export const libraryKind = {
  imageUrl: null,
  cpu: 1,
  memory: 64,
  timeout: 600,
  openParams: false,
  readsReferences: false,
} satisfies Partial<TaskKind>

/** Returns an input of a kind. */
export function input(
  name: string,
  valueType: ValueType,
  description: string,
  more: { optional?: boolean; defaultValue?: string; choices?: string[]; condition?: ParamCondition } = {},
): TaskParam {
  const { optional = false, defaultValue = '', choices, condition } = more
  return {
    name,
    type: 'INPUT',
    valueType,
    value: '',
    defaultValue,
    dynamic: false,
    optional,
    description,
    ...(choices === undefined ? {} : { choices }),
    ...(condition === undefined ? {} : { condition }),
  }
}

/** Returns an output of a kind. */
export function output(name: string, valueType: ValueType, description: string): TaskParam {
  return { ...input(name, valueType, description, { optional: true }), type: 'OUTPUT' }
}

/** Returns the condition that a different parameter has one of these values. */
export function when(paramName: string, ...values: string[]): ParamCondition {
  return { paramName, operator: 'one of', value: values.join(', ') }
}

/** Ends a step with an error. */
export function failed(message: string): StepOutcome {
  return { status: 'ERROR', message }
}

/** A file that a step has stored. */
export interface StoredContent {
  /** Value of a FILE parameter. */
  value: string
  /** Number of bytes. */
  size: number
  /** READY, PROCESSING, REJECTED or DUPLICATE. */
  status: string
  /** The ingested data, or the reason for a rejection. */
  message: string
}

/** Stores a stream as a file in a group, with the access of the run. A failed or stopped upload leaves no file behind. */
export async function storeContent(
  files: LibraryFiles,
  { principal, signal }: Pick<StepWork, 'principal' | 'signal'>,
  file: { groupName: string; fileName: string; fileType: string; fields?: FieldPair[] },
  stream: Readable,
): Promise<StoredContent> {
  const abort = () => stream.destroy(signal.reason as Error)
  signal.addEventListener('abort', abort)
  try {
    signal.throwIfAborted()
    const announced = { fields: [], ...file, zipped: false }
    const { fileId, token } = await files.create(principal, announced, undefined)
    try {
      const receipt = await files.putContent(fileId, token, {
        stream,
        announcedBytes: undefined,
        announcedHash: undefined,
      })
      const value = JSON.stringify({ id: receipt.fileId, name: file.fileName, groupName: file.groupName })
      return { value, size: receipt.size, status: receipt.status, message: receipt.message }
    } catch (error) {
      // The original error is more useful. The hourly sweep removes the announcement if it cannot be removed now.
      await files.abandon(fileId).catch(() => undefined)
      throw signal.aborted ? signal.reason : error
    }
  } finally {
    signal.removeEventListener('abort', abort)
    stream.destroy()
  }
}

/** Opens the content of the file that an input refers to, with the access of the run. */
export async function openFile(
  files: Pick<LibraryFiles, 'getReadable' | 'readContent'>,
  { principal, inputs }: Pick<StepWork, 'principal' | 'inputs'>,
  name: string,
): Promise<{ fileName: string; stream: AsyncIterable<Buffer> }> {
  const { id = '' } = parseObjectValue(inputs[name] ?? '') ?? {}
  const file = await files.getReadable(principal, id)
  const stream = (await files.readContent(file)) as AsyncIterable<Buffer>
  return { fileName: file.name, stream }
}

/** Opens the content of the file that an input refers to, for reads at any position, with the access of the run. */
export async function openSource(
  files: Pick<LibraryFiles, 'getReadable' | 'readContent'>,
  { principal, inputs }: Pick<StepWork, 'principal' | 'inputs'>,
  name: string,
): Promise<{ fileName: string; source: ByteSource }> {
  const { id = '' } = parseObjectValue(inputs[name] ?? '') ?? {}
  const file = await files.getReadable(principal, id)
  return {
    fileName: file.name,
    source: sourceOf(file.sizeBytes, (range) => files.readContent(file, range)),
  }
}

/**
 * Returns a valid file name: the last part of a path without forbidden and invisible characters. Returns `fallback` if the
 * remainder is not valid, for example because it is a Windows device name.
 */
export function safeFileName(text: string, fallback: string): string {
  const name = text
    .toWellFormed()
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}<>:"|?*]/gu, '')
  // Emoji joiners are preserved if the name is valid with them.
  for (const each of [name, name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')]) {
    const { success, data } = fileName.safeParse(Array.from(each).slice(0, 200).join(''))
    if (success) return data
  }
  return fallback
}

/** Returns the outcome of a stored file, with the output `File`. */
export function storedOutcome(stored: StoredContent, what: string): StepOutcome {
  const outputs = { File: stored.value }
  if (stored.status === 'REJECTED') return { status: 'ERROR', message: stored.message, outputs }
  const notes: Readonly<Record<string, string>> = {
    DUPLICATE: ' It contained no new data.',
    PROCESSING: ' The series are being ingested.',
    READY: stored.message === '' ? '' : ` ${stored.message}`,
  }
  return { status: 'INFO', message: `${what}${notes[stored.status] ?? ''}`, outputs }
}
