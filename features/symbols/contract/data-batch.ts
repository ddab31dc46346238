import { z } from 'zod'

/** Maximum number of queries in one batch. */
export const maxBatchQueries = 200

/** Several data queries in one request. Each query is validated separately, so an invalid one does not affect the others. */
export const dataBatch = z.object({
  queries: z
    .array(
      z.object({
        query: z
          .unknown()
          .optional()
          .describe('URL parameters of `POST /ts/stream`, as an object. Default: none.'),
        body: z.unknown().optional().describe('The data query, as in `POST /ts/stream`.'),
      }),
    )
    .min(1)
    .max(maxBatchQueries, `A batch can have at most ${maxBatchQueries} queries.`)
    .describe('The data queries. The response refers to each by its index, from 0.'),
})
/** A parsed {@link dataBatch}. */
export type DataBatch = z.infer<typeof dataBatch>

/**
 * One line of JSON in the response to a batch. `contentType` starts the result of a query, and `done` ends it. A frame
 * with `length` is followed by that many bytes of the result. `error` ends a query before its result starts or while it
 * is sent.
 */
export const dataBatchFrame = z.object({
  query: z.int().min(0).describe('Index of the query, from 0.'),
  contentType: z.string().optional().describe('Starts the result: the content type of its bytes.'),
  overflows: z
    .int()
    .min(1)
    .optional()
    .describe(
      'With `contentType`: number of computed values that are empty because they are too large, as in the header X-KH-OVERFLOWS.',
    ),
  totalRows: z
    .int()
    .min(0)
    .optional()
    .describe('With `contentType`: total number of rows, as in the header X-KH-TOTAL-ROWS.'),
  length: z.int().min(1).optional().describe('Number of bytes of the result that follow this line.'),
  done: z.literal(true).optional().describe('The result is complete.'),
  nextPageToken: z
    .string()
    .optional()
    .describe(
      'With `done`, for a query with pages: token of the next page, as in the header X-KH-NEXT-PAGE-TOKEN.',
    ),
  error: z
    .looseObject({
      status: z.int().describe('HTTP status.'),
      message: z.string().describe('Message for users.'),
    })
    .optional()
    .describe('Error of the query, in the format of an error body of `POST /ts/stream`.'),
})
/** A parsed {@link dataBatchFrame}. */
export type DataBatchFrame = z.infer<typeof dataBatchFrame>
