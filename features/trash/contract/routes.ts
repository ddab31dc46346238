import { z } from 'zod'
import { defineRoute, pageOf, pageQuery, sortOrder } from '@headwater/contract'
import { deletedObject, deletedSortKeys, restoredObject } from '@headwater/groups/contract'

const permission = { resource: 'Lake', mode: 'R' } as const

/** Kinds of objects in the trash. */
export const trashKinds = ['groups', 'files', 'symbols'] as const
/** A kind of objects in the trash. */
export type TrashKind = (typeof trashKinds)[number]

const kind = z
  .enum(trashKinds)
  .describe(
    'Kind of the objects: `groups`, `files` or `symbols`. A caller without read access to the kind receives 403.',
  )

/** An object in the trash. */
export const trashedObject = deletedObject.extend({
  purgedAt: z
    .string()
    .describe('Time from which the server deletes it permanently, ISO 8601 in UTC without a zone.'),
})
/** An object in the trash, as a type. */
export type TrashedObject = z.infer<typeof trashedObject>

const address = z.object({ kind, id: z.string().max(100).describe('Id of the deleted object.') })

/** Route `GET /trash/:kind`. */
export const listTrash = defineRoute({
  name: 'listTrash',
  method: 'GET',
  path: '/trash/:kind',
  summary: 'Deleted objects of one kind that the caller owned or can restore.',
  permission,
  params: z.object({ kind }),
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(300)
      .default('')
      .describe('Text in the name or in the name of the group, regardless of case. Default: all.'),
    sortBy: z
      .enum(deletedSortKeys)
      .default('deletedAt')
      .describe('Sort key. Default: the time of the deletion.'),
    sortOrder: sortOrder.default('desc').describe('asc or desc. Default desc.'),
  }),
  output: pageOf(trashedObject),
})

/** Route `POST /trash/:kind/:id/restore`. */
export const restoreTrashed = defineRoute({
  name: 'restoreTrashed',
  method: 'POST',
  path: '/trash/:kind/:id/restore',
  summary:
    'Restores a deleted object. The caller needs the access that its deletion needs. Its series can take longer than the response.',
  permission,
  params: address,
  body: z.object({
    name: z
      .string()
      .max(50_000)
      .optional()
      .describe(
        'New name, required if the original name is taken; for a symbol, its keys with other values as JSON. Default: the original name.',
      ),
  }),
  output: restoredObject,
  errors: [
    'notInTrash',
    'nameTaken',
    'isBeingRestored',
    'notRestored',
    'groupNotFound',
    'groupForbidden',
    'ownersLimitReached',
  ],
})

/** Route `DELETE /trash/:kind/:id`. */
export const deleteTrashed = defineRoute({
  name: 'deleteTrashed',
  method: 'DELETE',
  path: '/trash/:kind/:id',
  summary: 'Deletes an object of the trash permanently. The caller needs the access that its deletion needs.',
  permission,
  params: address,
  output: z.object({}),
  errors: ['notInTrash', 'isBeingRestored', 'groupNotFound', 'groupForbidden'],
})
