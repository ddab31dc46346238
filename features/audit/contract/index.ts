import { z } from 'zod'
import { defineRoute } from '@headwater/contract'

/** Maximum number of records of a page. */
export const maxAuditPage = 1000

/** A request that changed data, or was refused. */
export const auditRecord = z.object({
  id: z.int().describe('Id of the record; later records have greater ids.'),
  time: z.string().describe('Time of the response: ISO date-time in UTC, without a zone.'),
  userName: z.string().nullable().describe('User name of the caller; null if the request names no user.'),
  runId: z.string().nullable().describe('Id of the run whose code sent the request; null for others.'),
  route: z.string().describe('Name of the route, for example deleteGroup.'),
  method: z.string().describe('HTTP method.'),
  path: z
    .string()
    .describe('Path of the route with the names of its parameters, for example /file/group/:name.'),
  object: z
    .record(z.string(), z.string())
    .describe('Parameters of the path and names in the body that identify the object; secrets are omitted.'),
  status: z
    .int()
    .describe('HTTP status of the response: below 400 the request succeeded. 499: the caller disconnected.'),
  address: z.string().describe('IP address of the caller.'),
})
/** A record of the audit log, as a type. */
export type AuditRecord = z.infer<typeof auditRecord>

const instant = z.iso.datetime({ local: true, offset: true })

/** Route `GET /audit`. */
export const listAuditRecords = defineRoute({
  name: 'listAuditRecords',
  method: 'GET',
  path: '/audit',
  summary:
    'Requests that changed data or were refused, newest first. All conditions must hold. For administrators.',
  permission: { resource: 'Administrator', mode: 'R' },
  query: z.object({
    userName: z.string().max(320).optional().describe('Exactly this user, regardless of case.'),
    route: z.string().max(200).optional().describe('Exactly this name of a route.'),
    object: z
      .string()
      .max(200)
      .optional()
      .describe('Text in a value that identifies the object, regardless of case.'),
    outcome: z
      .enum(['succeeded', 'refused'])
      .optional()
      .describe('succeeded: status below 400; refused: all others. Default both.'),
    timeFrom: instant.optional().describe('Earliest time, included; without a zone in UTC.'),
    timeTo: instant.optional().describe('Latest time, excluded; without a zone in UTC.'),
    before: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe(
        'Only records with a smaller id: `next` of the previous page. Default: from the newest record.',
      ),
    size: z.coerce
      .number()
      .int()
      .min(1)
      .max(maxAuditPage)
      .default(100)
      .describe(`Number of records, 1 to ${maxAuditPage}, default 100.`),
  }),
  output: z.object({
    items: z.array(auditRecord).describe('Records, newest first.'),
    next: z
      .int()
      .nullable()
      .describe('Value of `before` for the next page; null if there are no more records.'),
  }),
})
