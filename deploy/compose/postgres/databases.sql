create database dostar_shard_0;
