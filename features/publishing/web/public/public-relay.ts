import { pathOf } from '@headwater/contract'
import { downloadFile, getFile, searchFiles } from '@headwater/files/contract'
import { listSymbolValues, searchSymbols } from '@headwater/symbols/contract'
import { type CallInput, type CallRelay, queryText } from '@headwater/web-kit'
import { runTileCode } from '@headwater/tiles/contract'
import {
  getPublicFile,
  getPublicFileVersion,
  listPublicValues,
  type AllowedParameter,
} from '../../contract/index.ts'
import { notForVisitors } from '@headwater/tiles/web'

/** What a visitor brings along. */
export interface PublicVisit {
  groupName: string
  insightName: string
  link: string
  token: string
  parameters: readonly AllowedParameter[]
}

/** A version of a file as the id that tiles know it by: another one for every version, as ids of files are. */
const fileId = (groupName: string, name: string, version: string) =>
  encodeURIComponent(JSON.stringify([groupName, name, version]))

/**
 * Sends requests for files and for values of parameters to the routes for visitors, and rejects those that visitors have
 * no route for. The data of tiles have a public route of their own.
 */
export function publicRelay(visit: PublicVisit): CallRelay {
  const params = { groupName: visit.groupName, fileName: `${visit.insightName}.json` }
  const signed = { link: visit.link, token: visit.token }

  return async function relay(route, input, options, send) {
    const { query = {}, body } = input
    if (route.permission === 'public') return send(route, input, options)
    switch (route.name) {
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
