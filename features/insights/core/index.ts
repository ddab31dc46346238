export {
  publicContent,
  publicTiles,
  selfActivationOf,
  visibleFiles,
  visibleGroups,
  withoutFileIds,
} from './public-content.ts'
