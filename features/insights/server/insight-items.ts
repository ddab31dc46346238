import type { FileVersion } from '@headwater/files/server'
import type { ItemLink, ItemLocation, Items, ItemStore } from '@headwater/items/server'
import type { Executor } from '@headwater/server-kit'
import { templateFileType } from '../contract/index.ts'

/** Stored content of a version of an insight or template: a reference to its file. */
export interface FileLink {
  /** Id of the version of the file. */
  fileId: string
}

/** Kind of the items that are insights. */
export const insightKind = 'insight'

/** The items of insights and templates. Each version is a version of a file, written in the same transaction. */
export interface InsightItems {
  /** Items of kind {@link insightKind}. */
  insights: ItemStore<FileLink>
  /** Records a new version after a save or an upload. Ignores files of other types. */
  onFileArrived(file: FileVersion, executor: Executor): Promise<void>
  /** Renames or moves the item of a file. Ignores files without the extension `.json`. */
  onFileMoved(from: ItemLocation, to: ItemLocation, executor: Executor): Promise<void>
  /** Removes a deleted version of a file from its item. Ignores files of other types. */
  onFileDeleted(file: FileVersion, executor: Executor): Promise<void>
}

/** Creates the items of insights. */
export function createInsightItems(
  items: Items,
  linksOfFile: (fileId: string) => Promise<ItemLink[]>,
): InsightItems {
  const storeOf = (kind: string) =>
    items.storeOf<FileLink, object>({
      kind,
      summaryOf: () => ({}),
      readLinks: ({ fileId }) => linksOfFile(fileId),
    })
  const insights = storeOf(insightKind)
  const stores = new Map([
    ['INSIGHT', insights],
    [templateFileType, storeOf('insight-template')],
  ])
  return {
    insights,
    async onFileArrived({ id: fileId, type, version, savedBy, arrivedAt, ...file }, executor) {
      const location = locationOf(file)
      if (location === undefined) return
      const store = stores.get(type)
      if (store === undefined) return
      await store.record(location, { version, content: { fileId }, savedBy, savedAt: arrivedAt }, executor)
      await items.pendingLinks.enqueue(executor)
    },
    async onFileMoved(from, to, executor) {
      const [before, after] = [locationOf(from), locationOf(to)]
      if (before === undefined || after === undefined) return
      for (const store of stores.values()) await store.relocate(before, after, executor)
    },
    async onFileDeleted({ type, version, ...file }, executor) {
      const location = locationOf(file)
      if (location !== undefined) await stores.get(type)?.unrecord(location, version, executor)
    },
  }
}

/** Returns the name of the insight that a file stores: its file name without `.json`. */
export function insightNameOf(fileName: string): string {
  return fileName.replace(/\.json$/, '')
}

/** Location of the item of a file; undefined for a file with another kind of name. */
function locationOf({ groupId, name }: ItemLocation): ItemLocation | undefined {
  return /.\.json$/.test(name) ? { groupId, name: insightNameOf(name) } : undefined
}
