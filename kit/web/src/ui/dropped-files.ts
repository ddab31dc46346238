import { message } from './toasts.ts'

/** Maximum number of files in dropped folders. */
export const maxDroppedFiles = 1000

/** Thrown if dropped items cannot be used. The message is a sentence for users. */
export class DropError extends Error {}

/**
 * Passes dropped files and the files of dropped folders to `onFiles`. Shows a toast if they cannot be used. Call it in the
 * event handler, because the browser clears the data of the event afterwards.
 */
export function takeDrop(transfer: DataTransfer, onFiles: (files: readonly File[]) => void): void {
  void readDrop(transfer).then(onFiles, (error: unknown) =>
    message(
      error instanceof DropError ? error.message : 'The folder could not be read. Drop its files instead.',
      'error',
    ),
  )
}

/**
 * Returns dropped files, and the files of dropped folders and their subfolders. If files have the same name, the names of
 * their folders are added, as in `2026 - prices.csv`, because a group can have only one file with a name.
 * @throws DropError for folders without files, or with more than {@link maxDroppedFiles}
 */
export async function readDrop(transfer: Pick<DataTransfer, 'items' | 'files'>): Promise<File[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (!entries.some(isDirectory)) return [...transfer.files]
  const collected: { file: File; path: string[] }[] = []
  const read = async (entry: FileSystemEntry, folders: readonly string[]): Promise<void> => {
    const path = [...folders, entry.name]
    if (isDirectory(entry)) {
      for (const child of await childrenOf(entry)) await read(child, path)
      return
    }
    if (collected.length === maxDroppedFiles)
      throw new DropError(
        `The folder has more than ${maxDroppedFiles.toLocaleString('en')} files. Drop its files in smaller batches.`,
      )
    collected.push({ file: await fileOf(entry as FileSystemFileEntry), path })
  }
  for (const entry of entries) await read(entry, [])
  if (collected.length === 0) throw new DropError('The folder has no files.')
  const counts = Map.groupBy(collected, ({ file }) => file.name)
  return collected.map(({ file, path }) =>
    counts.get(file.name)!.length > 1 ? renamed(file, path.join(' - ')) : file,
  )
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  // Each call returns only some of the entries. An empty result means that there are no more.
  for (;;) {
    const next = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (next.length === 0) return children.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    children.push(...next)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

function renamed(file: File, name: string): File {
  return new File([file], name, { type: file.type, lastModified: file.lastModified })
}
