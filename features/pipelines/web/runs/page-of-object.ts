import { searchFiles } from '@headwater/files/contract'
import { getDataPrep } from '@headwater/preps/contract'
import { ApiError, call, links } from '@headwater/web-kit'

/** Returns the page of a file or data prep; undefined if there is none, or the user cannot read it. */
export async function pageOfObject(type: 'FILE' | 'DATA_PREP', id: string): Promise<string | undefined> {
  try {
    if (type === 'FILE') {
      const [file] = (await call(searchFiles, { query: { query: `uuid=${id}`, size: 1 } })).items
      return file === undefined ? undefined : links.lakeFile(file.groupName, file.fid)
    }
    const { outputGroup, name } = await call(getDataPrep, { params: { id }, query: {} })
    return links.dataPrep(outputGroup, name)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return undefined
    throw error
  }
}
