import { z } from 'zod'

/** The most questions of one batch. */
export const maxBatchQuestions = 200

/** Several data queries of one page at once. Each is checked by itself, so one that makes no sense harms no other. */
export const dataBatch = z.object({
  questions: z
    .array(
      z.object({
        query: z
          .unknown()
          .optional()
          .describe('What stands in the address of `POST /ts/stream`, as an object; absent = nothing.'),
        body: z.unknown().optional().describe('The data query, as in `POST /ts/stream`.'),
      }),
    )
    .min(1)
    .max(maxBatchQuestions, `A batch has at most ${maxBatchQuestions} questions.`)
    .describe('The data queries; their places, from 0, name them in the answer.'),
})
export type DataBatch = z.infer<typeof dataBatch>

/**
 * One line of JSON in the answer to a batch. `length` is followed by as many bytes of the answer; `contentType` begins
 * an answer; `done` ends it. With `error` a question ends without an answer, or in the middle of it.
 */
export const dataBatchFrame = z.object({
  question: z.int().min(0).describe('Place of the question, from 0.'),
  contentType: z.string().optional().describe('The answer begins; what its bytes are.'),
  overflows: z
    .int()
    .min(1)
    .optional()
    .describe(
      'With `contentType`: how many computed values are empty because they are too large, as the header X-KH-OVERFLOWS says elsewhere.',
    ),
  totalRows: z
    .int()
    .min(0)
    .optional()
    .describe('With `contentType`: how many rows there are, as the header X-KH-TOTAL-ROWS says elsewhere.'),
  length: z.int().min(1).optional().describe('How many bytes of the answer follow this line.'),
  done: z.literal(true).optional().describe('The answer is complete.'),
  nextPageToken: z
    .string()
    .optional()
    .describe('With `done`, of a question with pages: leads to the next one, as the header does elsewhere.'),
  error: z
    .looseObject({ status: z.int(), message: z.string() })
    .optional()
    .describe('Why there is no answer, as the body of an error of `POST /ts/stream`.'),
})
export type DataBatchFrame = z.infer<typeof dataBatchFrame>
