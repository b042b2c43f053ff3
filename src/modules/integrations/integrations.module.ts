import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/index.js';
import { DatasetsModule } from '../datasets/index.js';
import { DocumentsModule } from '../documents/index.js';
import { RetrievalModule } from '../retrieval/index.js';
import { DifyController } from './dify/dify.controller.js';
import { DifyService } from './dify/dify.service.js';
import { EmbeddingsController } from './openai/embeddings.controller.js';
import { EmbeddingsService } from './openai/embeddings.service.js';
import { McpController } from './mcp/mcp.controller.js';
import { McpService } from './mcp/mcp.service.js';
import { McpTools } from './mcp/mcp-tools.service.js';

/** Routes in the form of other products' interfaces: OpenAI's embeddings, Dify's external knowledge, the Model Context Protocol. */
@Module({
  imports: [ChatModule, DatasetsModule, DocumentsModule, RetrievalModule],
  controllers: [EmbeddingsController, DifyController, McpController],
  providers: [DifyService, EmbeddingsService, McpService, McpTools],
})
export class IntegrationsModule {}
