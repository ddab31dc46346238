import { pathOf } from '@headwater/contract'
import { downloadFile, getFile, searchFiles } from '@headwater/files/contract'
import { listSymbolValues, searchSymbols } from '@headwater/symbols/contract'
import { type CallInput, type CallRelay, queryText } from '@headwater/web-kit'
import { runTileCode } from '@headwater/tile-data/contract'
import {
  getPublicFile,
  getPublicFileVersion,
  listPublicValues,
  type AllowedParameter,
} from '../../contract/index.ts'
import { notForVisitors } from '@headwater/tile-data/web'

/** The public insight of a visitor, with link and token. */
export interface PublicVisit {
  /** Group of the insight. */
  groupName: string
  /** Name of the insight. */
  insightName: string
  /** Signed part of the link; empty if it has no choices. */
  link: string
  /** Token of the submitted form; empty if there is none. */
  token: string
  /** Parameters that the link allows. */
  parameters: readonly AllowedParameter[]
}

/** Returns an id for a version of a file. As with file ids, each version has a different one. */
const fileId = (groupName: string, name: string, version: string) =>
  encodeURIComponent(JSON.stringify([groupName, name, version]))

/**
 * Returns a relay that sends requests for files and parameter values to the routes for visitors, and rejects other requests. The data
 * of tiles has its own public route.
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
        const request = { params, query: { ...signed, group: groupName, name } }
        const response = await send(getPublicFileVersion, request, options)
        const { version, size } = (await response.json()) as { version: string; size: number }
        const file = { fid: fileId(groupName, name, version), fileName: name, groupName, size, fields: {} }
        return Response.json({ from: 0, totalSize: 1, items: [file], files: [file] })
      }
      case downloadFile.name:
        return send(getPublicFile, { params, query: { ...signed, ...fileOf(input) } }, options)
      // The browser fetches the content from the `Location` of the response.
      case getFile.name: {
        const address = pathOf(getPublicFile.path, params) + queryText({ ...signed, ...fileOf(input) })
        return Response.json({}, { headers: { Location: address } })
      }
      case listSymbolValues.name: {
        const { groupName: group, ...search } = body as { groupName: string; key: string }
        const isAllowed = visit.parameters.some(({ name }) => name.toLowerCase() === search.key.toLowerCase())
        if (!isAllowed) return Response.json({ from: 0, totalSize: 0, items: [] })
        return send(listPublicValues, { params, query: signed, body: { group, ...search } }, options)
      }
      case runTileCode.name:
        throw notForVisitors('Python')
      case searchSymbols.name:
        throw notForVisitors('the symbol search')
      default:
        throw notForVisitors('this function')
    }
  }
}

function fileOf(input: CallInput): { group: string; name: string } {
  const [group, name] = JSON.parse(decodeURIComponent(String(input.params?.fid))) as [string, string, string]
  return { group, name }
}

/** Parses the query of a search for one file by group and name. */
function readFileQuery(text: string): { groupName: string; name: string } {
  const [, groupName = '', name = ''] = /^groupName=(.*?)&name=(.*)$/s.exec(text) ?? []
  return { name, groupName }
}
