import { z } from 'zod'
import { defineRoute, pageOf, pageQuery, queryBoolean, sortOrder } from '@headwater/contract'
import { group, groupChange, groupContents, groupTag, newGroup } from './group.ts'

const read = { resource: 'Lake/Groups', mode: 'R' } as const
const write = { resource: 'Lake/Groups', mode: 'RW' } as const
const name = z.object({ name: z.string().max(200).describe('Name of the group, URL-encoded.') })

/** Route `GET /file/group`. */
export const listGroups = defineRoute({
  name: 'listGroups',
  method: 'GET',
  path: '/file/group',
  summary: 'Groups that the caller can read.',
  permission: read,
  allowsRunTokens: true,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(1000)
      .default('')
      .describe(
        'Free text over name, description and fields, or `name=…` and `tags=…` pairs; `*` is a wildcard.',
      ),
    name: z.string().max(200).optional().describe('Exact name. If it is set, `query` is ignored.'),
    tags: z
      .string()
      .max(1000)
      .optional()
      .describe('Tag names separated by commas. Only groups that have all of them.'),
    writeOnly: queryBoolean.default(false).describe('Only groups that the caller can write to.'),
    withSymbol: queryBoolean.default(false).describe('Only groups with symbols.'),
    publicOnly: queryBoolean
      .default(false)
      .describe('Only groups whose data is visible in a public insight.'),
    favorite: queryBoolean.default(false).describe('Only favourites of the caller.'),
    sortBy: z.enum(['createdOn', 'name']).default('createdOn').describe('Sort key.'),
    sortOrder: sortOrder.default('desc').describe('asc or desc, default desc.'),
  }),
  output: pageOf(group),
})

/** Route `GET /file/group/:name`. */
export const getGroup = defineRoute({
  name: 'getGroup',
  method: 'GET',
  path: '/file/group/:name',
  summary: 'One group by its exact name.',
  permission: read,
  allowsRunTokens: true,
  params: name,
  output: group,
  errors: ['groupNotFound'],
})

/** Route `GET /file/group/:name/contents`. */
export const getGroupContents = defineRoute({
  name: 'getGroupContents',
  method: 'GET',
  path: '/file/group/:name/contents',
  summary: 'The numbers of objects that deleting the group would delete.',
  permission: read,
  params: name,
  output: groupContents,
  errors: ['groupNotFound', 'groupLimited'],
})

/** Route `POST /file/group`. */
export const createGroup = defineRoute({
  name: 'createGroup',
  method: 'POST',
  path: '/file/group',
  summary: 'Creates a group; the caller owns it.',
  permission: write,
  allowsRunTokens: true,
  body: newGroup,
  output: group,
  successStatus: 201,
  errors: ['groupExists', 'fieldTwice'],
})

/** Route `PUT /file/group/:name`. */
export const updateGroup = defineRoute({
  name: 'updateGroup',
  method: 'PUT',
  path: '/file/group/:name',
  summary: 'Changes description, fields or tags of a group.',
  permission: write,
  params: name,
  body: groupChange,
  output: group,
  errors: ['groupNotFound', 'groupForbidden', 'groupLimited', 'groupChanged', 'fieldTwice'],
})

/** Route `DELETE /file/group/:name`. */
export const deleteGroup = defineRoute({
  name: 'deleteGroup',
  method: 'DELETE',
  path: '/file/group/:name',
  summary: 'Deletes a group with everything in it. Only its owner and administrators can.',
  permission: write,
  params: name,
  output: z.object({}),
  errors: ['groupNotFound', 'onlyOwnerDeletes', 'homeGroupStays'],
})

/** Route `GET /file/groupTags`. */
export const listGroupTags = defineRoute({
  name: 'listGroupTags',
  method: 'GET',
  path: '/file/groupTags',
  summary: 'Tags of groups that the caller can read, by name ascending.',
  permission: read,
  allowsRunTokens: true,
  query: z.object({
    ...pageQuery(),
    query: z.string().max(64).default('').describe('Part of the tag name.'),
  }),
  output: pageOf(groupTag),
})
