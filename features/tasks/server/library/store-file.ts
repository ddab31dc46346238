import { Readable } from 'node:stream'
import { formatFileSize } from '@headwater/contract'
import type { StepOutcome, StepWork } from '@headwater/runs/server'
import type { TaskKind } from '../task-kinds.ts'
import {
  failed,
  input,
  libraryKind,
  openFile,
  output,
  safeFileName,
  storeContent,
  storedOutcome,
  when,
  type LibraryFiles,
} from './kind-parts.ts'

const convertHint =
  'To store any other CSV, XLSX or Parquet file, first convert it to NCSV with the task Convert file.'

/** Creates the kinds of tasks that store a file or text in a group, as a file or as series. */
export function createStoreFile({ files }: { files: LibraryFiles }): TaskKind[] {
  return [
    storeKind(files, {
      name: 'store-file',
      readableName: 'Store file',
      fileType: 'SOURCE',
      description: 'Stores a file or text as a file in a group.',
      fileHint: 'A file of a group, or the output of an earlier task.',
    }),
    storeKind(files, {
      name: 'store-series',
      readableName: 'Store as series',
      fileType: 'NCSV',
      description:
        'Ingests the series in an NCSV file, which has symbol columns, then Date, then value columns.',
      fileHint: `A file in NCSV format. ${convertHint}`,
      rejectionHint: convertHint,
    }),
  ]
}

function storeKind(
  files: LibraryFiles,
  kind: {
    name: string
    readableName: string
    fileType: string
    description: string
    /** Description of the input with the file. */
    fileHint: string
    /** Sentence that follows the reasons why a file was rejected. Default: none. */
    rejectionHint?: string
  },
): TaskKind {
  async function run(work: StepWork): Promise<StepOutcome> {
    const { inputs } = work
    const groupName = inputs.Group ?? ''
    const isText = inputs.Content === 'text'
    const source = isText ? undefined : await openFile(files, work, 'File to store')
    const fileName = safeFileName(inputs['File name'] || source?.fileName || '', '')
    if (fileName === '') return failed('Enter a name for the file.')
    const stream = Readable.from(source?.stream ?? [Buffer.from(inputs.Text ?? '', 'utf8')], {
      objectMode: false,
    })
    const stored = await storeContent(files, work, { groupName, fileName, fileType: kind.fileType }, stream)
    const outcome = storedOutcome(
      stored,
      `Stored ${fileName} (${formatFileSize(stored.size)}) in ${groupName}.`,
    )
    if (outcome.status !== 'ERROR' || kind.rejectionHint === undefined) return outcome
    return { ...outcome, message: `${outcome.message} ${kind.rejectionHint}` }
  }

  return {
    ...libraryKind,
    definitionId: kind.name,
    definitionName: kind.name,
    readableName: kind.readableName,
    category: 'Storage',
    description: kind.description,
    params: [
      input('Content', 'CHOICE', 'What to store.', { defaultValue: 'file', choices: ['file', 'text'] }),
      input('File to store', 'FILE', kind.fileHint, { condition: when('Content', 'file') }),
      input('Text', 'LONG_TEXT', 'The text to store.', { condition: when('Content', 'text') }),
      input('Group', 'GROUP', 'Group to store in. The user of the run needs write access.'),
      input('File name', 'TEXT', 'Name of the stored file. Default: the name of the file.', {
        optional: true,
      }),
      output('File', 'FILE', 'The stored file.'),
    ],
    repeatable: true,
    isShort: ({ Content: content }) => content === 'text',
    run,
  }
}
