import { pathOf } from '@headwater/contract'
import { getDataPrepByName } from '@headwater/preps/contract'
import { downloadFile, getFile, searchFiles } from '@headwater/files/contract'
import { getGroup } from '@headwater/groups/contract'
import { listSymbolValues, searchSymbols, streamData, streamDataBatch } from '@headwater/symbols/contract'
import { type ApiError, type CallInput, type CallRelay, queryText } from '@headwater/web-kit'
import {
  getPublicData,
  getPublicDataPrep,
  getPublicFile,
  getPublicFileVersion,
  listPublicValues,
  runTileCode,
  type AllowedParameter,
} from '../../contract/index.ts'
import { totalRowsOf } from '../series/batched-question.ts'
import { notForVisitors } from './not-for-visitors.ts'

/** What a visitor brings along. */
export interface PublicVisit {
  groupName: string
  insightName: string
  link: string
  token: string
  parameters: readonly AllowedParameter[]
}

/** How many questions of a batch are asked at once. */
const askedAtOnce = 4

/** A version of a file as the id that tiles know it by: another one for every version, as ids of files are. */
const fileId = (groupName: string, name: string, version: string) =>
  encodeURIComponent(JSON.stringify([groupName, name, version]))

/**
 * Lets the tiles of a public insight ask as they always do: their questions go to the routes for visitors, what a visitor
 * has no route for is refused.
 */
export function publicRelay(visit: PublicVisit): CallRelay {
  const params = { groupName: visit.groupName, fileName: `${visit.insightName}.json` }
  const signed = { link: visit.link, token: visit.token }

  return async function relay(route, input, options, send) {
    const { query = {}, body } = input
    const askData = (question: CallInput) =>
      send(getPublicData, { params, query: { ...question.query, ...signed }, body: question.body }, options)
    if (route.permission === 'public') return send(route, input, options)
    switch (route.name) {
      case streamData.name:
        return askData(input)
      case streamDataBatch.name:
        return answerBatch((body as { questions: CallInput[] }).questions, askData)
      case getDataPrepByName.name: {
        const { groupName: group, name } = query
        return send(getPublicDataPrep, { params, query: { ...signed, group, name } }, options)
      }
      case searchFiles.name: {
        const { name, groupName } = readFileQuery(typeof query.query === 'string' ? query.query : '')
        const asked = { params, query: { ...signed, group: groupName, name } }
        const answer = await send(getPublicFileVersion, asked, options)
        const { version, size } = (await answer.json()) as { version: string; size: number }
        const file = { fid: fileId(groupName, name, version), fileName: name, groupName, size, fields: {} }
        return Response.json({ from: 0, totalSize: 1, items: [file], files: [file] })
      }
      case downloadFile.name:
        return send(getPublicFile, { params, query: { ...signed, ...fileOf(input) } }, options)
      // The content is fetched from the address that the answer names.
      case getFile.name: {
        const address = pathOf(getPublicFile.path, params) + queryText({ ...signed, ...fileOf(input) })
        return Response.json({}, { headers: { Location: address } })
      }
      case listSymbolValues.name: {
        const { groupName: group, ...asked } = body as { groupName: string; key: string }
        const isAllowed = visit.parameters.some(({ name }) => name.toLowerCase() === asked.key.toLowerCase())
        if (!isAllowed) return Response.json({ from: 0, totalSize: 0, items: [] })
        return send(listPublicValues, { params, query: signed, body: { group, ...asked } }, options)
      }
      // A group without rows is asked for by name, to offer access; visitors are told by the answer about the data.
      case getGroup.name:
        return Response.json({})
      case runTileCode.name:
        throw notForVisitors('Python')
      case searchSymbols.name:
        throw notForVisitors('Searching for symbols')
      default:
        throw notForVisitors('This')
    }
  }
}

function fileOf(input: CallInput): { group: string; name: string } {
  const [group, name] = JSON.parse(decodeURIComponent(String(input.params?.fid))) as [string, string, string]
  return { group, name }
}

/** The pairs of a search for one file by group and name. */
function readFileQuery(text: string): { groupName: string; name: string } {
  const [, groupName = '', name = ''] = /^groupName=(.*?)&name=(.*)$/s.exec(text) ?? []
  return { name, groupName }
}

/** Asks the questions of a batch one by one, a few at once; the frames of each come as soon as its answer is there. */
function answerBatch(
  questions: readonly CallInput[],
  ask: (question: CallInput) => Promise<Response>,
): Response {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      const line = (frame: object) => controller.enqueue(encoder.encode(`${JSON.stringify(frame)}\n`))
      const open = questions.entries()
      async function askNext(): Promise<void> {
        for (const [question, each] of open)
          try {
            const answer = await ask(each)
            const totalRows = totalRowsOf(answer)
            if (totalRows !== undefined) line({ question, totalRows })
            const bytes = new Uint8Array(await answer.arrayBuffer())
            if (bytes.length > 0) {
              line({ question, length: bytes.length })
              controller.enqueue(bytes)
            }
            line({ question, done: true })
          } catch (error) {
            const { status = 0, code = 'noAnswer', message = '' } = error as Partial<ApiError>
            line({ question, error: { status, code, message } })
          }
      }
      await Promise.all(Array.from({ length: askedAtOnce }, askNext))
      controller.close()
    },
  })
  return new Response(stream)
}
