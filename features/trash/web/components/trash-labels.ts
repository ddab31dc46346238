import { countOf } from '@headwater/web-kit'
import type { RestoredObject } from '@headwater/groups/contract'
import type { TrashedObject, TrashKind } from '../../contract/index.ts'

/** Texts about the objects of a kind. */
export const labelsOf: Record<
  TrashKind,
  {
    /** Title of the view. */
    title: string
    /** One object. */
    one: string
    /** Returns a number of objects. */
    many: (count: number) => string
    /** Title of the empty view. */
    emptyTitle: string
    /** Text of the empty view. */
    emptyText: string
    /** Returns a sentence about what the permanent deletion of objects removes. */
    loss: (objects: readonly TrashedObject[]) => string
  }
> = {
  groups: {
    title: 'Archived groups',
    one: 'group',
    many: (count) => countOf(count, 'group'),
    emptyTitle: 'No archived groups',
    emptyText: 'Groups that you delete appear here. You can restore them until they are deleted permanently.',
    loss: ({ length }) =>
      `All ${length === 1 ? 'its' : 'their'} files, series, data preps, pipelines and insights are deleted as well.`,
  },
  files: {
    title: 'Deleted files',
    one: 'file',
    many: (count) => countOf(count, 'file'),
    emptyTitle: 'No deleted files',
    emptyText: 'Files that you delete appear here. You can restore them until they are deleted permanently.',
    loss: (files) => {
      const [contents, them] = files.length === 1 ? ['Its content', 'it'] : ['Their contents', 'them']
      return files.some(({ file }) => file?.isSeries)
        ? `${contents} and the series ingested from ${them} are deleted.`
        : `${contents} ${files.length === 1 ? 'is' : 'are'} deleted.`
    },
  },
  symbols: {
    title: 'Archived symbols',
    one: 'symbol',
    many: (count) => countOf(count, 'symbol'),
    emptyTitle: 'No archived symbols',
    emptyText:
      'Symbols that you remove appear here. You can restore them until they are deleted permanently.',
    loss: ({ length }) => `${length === 1 ? 'Its' : 'Their'} points are deleted as well.`,
  },
}

/** Returns the name of an object for the user, and which version of a file it is. */
export function versionName({ name, file }: TrashedObject): string {
  return file === null ? name : `Version ${file.version} of ${name}`
}

/** Returns the message about restored objects. The series of some of them can take longer. */
export function restoredText(kind: TrashKind, restored: readonly RestoredObject[]): string {
  const what = restored.length === 1 ? restored[0]!.name : labelsOf[kind].many(restored.length)
  const [is, has] = restored.length === 1 ? ['is', 'has'] : ['are', 'have']
  return restored.some(({ isBeingRestored }) => isBeingRestored)
    ? `${what} ${is} being restored.`
    : `${what} ${has} been restored.`
}

/** Suggests another name for an object whose name is taken; the extension of a file stays at its end. */
export function freeName(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? `${name.slice(0, dot)} (restored)${name.slice(dot)}` : `${name} (restored)`
}
