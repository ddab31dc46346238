import { countOf } from '@headwater/web-kit'
import type { TrashKind } from '../../contract/index.ts'

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
    /** What permanent deletion removes. */
    loss: string
  }
> = {
  groups: {
    title: 'Archived groups',
    one: 'group',
    many: (count) => countOf(count, 'group'),
    emptyTitle: 'No archived groups',
    emptyText: 'Groups that you delete appear here. You can restore them until they are deleted permanently.',
    loss: 'All its files, series, data preps, pipelines and insights are deleted as well.',
  },
  files: {
    title: 'Deleted files',
    one: 'file',
    many: (count) => countOf(count, 'file'),
    emptyTitle: 'No deleted files',
    emptyText: 'Files that you delete appear here. You can restore them until they are deleted permanently.',
    loss: 'Its content and the series that came with it are deleted as well.',
  },
  symbols: {
    title: 'Archived symbols',
    one: 'symbol',
    many: (count) => countOf(count, 'symbol'),
    emptyTitle: 'No archived symbols',
    emptyText:
      'Symbols that you remove appear here. You can restore them until they are deleted permanently.',
    loss: 'Its points are deleted as well.',
  },
}
