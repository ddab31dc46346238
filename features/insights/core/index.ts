export {
  publicContent,
  publicTiles,
  selfActivationOf,
  shownFiles,
  shownGroups,
  withoutFileIds,
} from './public-content.ts'
