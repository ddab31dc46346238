import { readFileSync } from 'node:fs'
import { closeTool, openedTool } from '@headwater/web-kit'
import { expect, test } from 'vitest'
import type { File } from '../contract/index.ts'
import { fileToolOf, openFileTool } from './file-tools.ts'

const actionOf = (fileName: string, canWrite = true) => fileToolOf({ fileName, size: 10 }, canWrite)?.action

test('DP-094 DP-095 PDF files, images and, beyond the requirement, tables can be previewed; the decision lists the image formats', () => {
  for (const name of ['a.pdf', 'a.PNG', 'a.jpg', 'a.jpeg', 'a.gif', 'a.webp', 'a.svg', 'a.XLSX', 'a.parquet'])
    expect([name, actionOf(name), actionOf(name, false)]).toEqual([name, 'Preview', 'Preview'])
  for (const name of ['a.md', 'a.py', 'a.json', 'a.txt', 'a'])
    expect([name, actionOf(name), actionOf(name, false)]).toEqual([name, 'Edit', 'View'])
  for (const name of ['a.tiff', 'a.bmp', 'a.ico', 'a.avif', 'a.zip', 'a.docx', 'a.xls', 'a.ods'])
    expect([name, actionOf(name)]).toEqual([name, undefined])
  const decision = readFileSync(
    new URL('../../../docs/decisions/0055-file-tools.md', import.meta.url),
    'utf8',
  )
  expect(decision).toContain('(DP-095).** PNG, JPEG, WebP, GIF, SVG and PDF files have a preview')
})

test('DP-093 users with write access can edit html, ftl, md, csv, py, sh, json, ipynb, txt, js and sql files; others can view them', () => {
  for (const name of [
    'a.html',
    'a.ftl',
    'a.md',
    'a.csv',
    'a.py',
    'a.sh',
    'a.json',
    'a.ipynb',
    'a.txt',
    'a.js',
    'a.sql',
  ])
    expect([name, actionOf(name), actionOf(name, false)]).toEqual([name, 'Edit', 'View'])
  for (const name of ['Makefile', '.profile']) expect([name, actionOf(name)]).toEqual([name, 'Edit'])
})

test('DP-086 a text file above 25 MB cannot be opened for editing', () => {
  const open = (size: number) => {
    openFileTool(
      { fid: 'f', fileName: 'a.py', size, latest: true } as File,
      fileToolOf({ fileName: 'a.py', size }, true)!,
    )
    const opened = openedTool()
    closeTool()
    return opened
  }
  expect(open(25_000_000)).toMatchObject({ tool: 'code', id: 'f', title: 'a.py', editable: true })
  expect(open(25_000_001)).toBe(undefined)
})

test('DP-088 DP-089 DP-090 CSV files below 20 MB open in the full editor, those up to 250 MB in the basic one, larger ones as a preview', () => {
  const toolOf = (size: number, canWrite = true) => fileToolOf({ fileName: 'a.CSV', size }, canWrite)
  expect(toolOf(19_900_000)).toEqual({ tool: 'csv', action: 'Edit' })
  expect(toolOf(19_900_000, false)).toEqual({ tool: 'csv', action: 'View' })
  expect(toolOf(20_000_000)).toEqual({ tool: 'csv-basic', action: 'Edit' })
  expect(toolOf(250_000_000)).toEqual({ tool: 'csv-basic', action: 'Edit' })
  expect(toolOf(251_000_000)).toEqual({ tool: 'csv-basic', action: 'Preview' })
  const series = (canWrite: boolean) =>
    fileToolOf({ fileName: 'a.ncsv', fileType: 'NCSV', size: 10 }, canWrite)
  expect([series(true), series(false)]).toEqual([
    { tool: 'csv', action: 'Edit' },
    { tool: 'ncsv-preview', action: 'Preview' },
  ])
  openFileTool({ fid: 'f', fileName: 'a.csv', size: 250_000_000, latest: true } as File, toolOf(250_000_000)!)
  expect(openedTool()).toMatchObject({ tool: 'csv-basic', editable: true })
  closeTool()
})
