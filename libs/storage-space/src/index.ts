export { GROWTH, growthOf, type GrowthFactors, type LocalData } from './growth.js';
export { reserveOf } from './reserve.js';
export { SpaceNeeds, type FullServer, type KnownNeeds } from './space-needs.port.js';
export { StorageReportEntity } from './storage-report.entity.js';
export { StorageSpaceModule, type StorageSpaceOptions } from './storage-space.module.js';
export { StorageSpace, type SpacePromise, type SpaceRules, type TightestVolume } from './storage-space.js';
export { readVolume, Volumes, VolumesOfFolders, type VolumeSpace } from './volumes.js';
