import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { POLICY_FILE_FORMATS, type PolicyFileFormat } from './policy-file.js';

/** How a policy is exported. */
export class ExportPolicyQuery {
  /** Format of the file. */
  @ApiPropertyOptional({ enum: POLICY_FILE_FORMATS, default: 'json' })
  @IsOptional()
  @IsIn(POLICY_FILE_FORMATS)
  format: PolicyFileFormat = 'json';
}
