"""The engine for collections that outgrow one machine: OpenSearch, behind the protocol of the embedded one."""
